import { UnfitFile } from './foreign-file.ts';

/** Cuts a text to at most `limit` characters, of which the last is `…` if something is left out. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Cuts a text after replacing each run of white space with one space, so that it fits on one line. */
export function cutLine(text: string, limit = 200): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}

/** Returns the message of an error, or the thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the reason why a file could not be read, with a remedy if one is known. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof UnfitFile) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return remedies.get(code) ?? `This file cannot be read (${messageOf(error)}).`;
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'There is no such file.'],
  ['EISDIR', 'This is a folder: name the file in it.'],
  ['EACCES', 'This file may not be read: see its permissions.'],
]);
