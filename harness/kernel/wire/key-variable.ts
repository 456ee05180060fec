/**
 * The default environment variable for a key: `TOUCHSTONE_KEY` for `owner`, `TOUCHSTONE_KEY_SAME_USER` for
 * `sameUser`. A target file can name another.
 */
export function keyVariable(key: string): string {
  if (key === 'owner') return 'TOUCHSTONE_KEY';
  const words = key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return `TOUCHSTONE_KEY_${words.replace(/[^A-Z0-9_]/g, '_')}`;
}
