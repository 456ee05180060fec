/** An id as one segment of a path, whatever characters it has. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}

/** What an encoded part of an address stands for; what is encoded wrongly, as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
