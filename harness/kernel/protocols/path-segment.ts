export function segment(id: string): string {
  return encodeURIComponent(id);
}

/** Decodes a part of an address. Returns it unchanged if its encoding is invalid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
