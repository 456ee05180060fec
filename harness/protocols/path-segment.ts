/** An id as one segment of a path, whatever characters it has. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}
