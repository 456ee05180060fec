/** An id as one segment of a path, whatever characters it has. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}

/** Decodes a part of an address; returns it unchanged if it is encoded wrongly. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
