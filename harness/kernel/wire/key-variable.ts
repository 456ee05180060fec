/**
 * The environment variable that a key is looked for in, wherever no target file names another:
 * `owner` is `TOUCHSTONE_KEY`, `sameUser` is `TOUCHSTONE_KEY_SAME_USER`.
 */
export function keyVariable(key: string): string {
  if (key === 'owner') return 'TOUCHSTONE_KEY';
  const words = key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return `TOUCHSTONE_KEY_${words.replace(/[^A-Z0-9_]/g, '_')}`;
}
