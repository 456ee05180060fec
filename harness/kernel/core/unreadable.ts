/** Returns the reason why a file could not be read, with a remedy if one is known. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'There is no such file.';
    case 'EISDIR':
      return 'This is a folder: name the file in it.';
    case 'EACCES':
      return 'This file may not be read: see its permissions.';
    default:
      return `This file cannot be read (${error instanceof Error ? error.message : String(error)}).`;
  }
}
