/** Shorter ids may be sequential, so a neighbouring id may well exist. */
const least = 8;

/**
 * Returns an unused response id in the form of a real one. It keeps the prefix, such as `resp_`, and the kind of
 * each character, and shifts letters and digits. A short id becomes longer.
 */
export function unknownLike(id: string): string {
  const prefix = /^.*_(?=.{8,}$)/s.exec(id)?.[0] ?? /^[a-z]+[_-](?=.)/i.exec(id)?.[0] ?? '';
  const tail = id.slice(prefix.length);
  const moved = tail.replace(/[0-9a-z]/gi, movedOn);
  const changed = [...moved].filter((character, at) => character !== tail[at]).length;
  if (changed === 0) return `${prefix}${tail}${'q'.repeat(least)}`;
  return prefix + (changed < least ? moved.repeat(Math.ceil((2 * least) / changed)) : moved);
}

function movedOn(character: string): string {
  const alphabet = /\d/.test(character) ? '0123456789' : 'abcdef';
  const lower = character.toLowerCase();
  const place = alphabet.indexOf(lower);
  // Hexadecimal digits stay hexadecimal; other letters have no kind to keep.
  const next = place < 0 ? 'q' : (alphabet[(place + 3) % alphabet.length] ?? 'q');
  return character === lower ? next : next.toUpperCase();
}
