import type { AlteredKey } from './call.ts';

/** Alterations that leave the owner's key almost unchanged. */
export const alteredKeys = [
  'changed',
  'longer',
  'shorter',
  'otherCase',
  'empty',
] as const satisfies readonly AlteredKey[];

/**
 * Minimum length of a key that is altered. Shorter keys may be sequential, so that an altered one could be another
 * valid key.
 */
const shortestKey = 16;

/**
 * Returns a key that is almost the given one, so that only a full comparison distinguishes them. The altered key
 * also decodes to other bytes if keys are encoded: its last digit changes in the highest bits, and two digits are
 * added, as a single one may decode to nothing.
 *
 * @returns null if a key is too short, or has no letters for a change of case
 */
export function alteredKey(key: string, kind: AlteredKey): string | null {
  if (kind === 'empty') return '';
  // A suffix without digits of the key, such as base64 padding, stays in place.
  const [, digits = '', end = ''] = /^(.*?)([^0-9a-z]*)$/is.exec(key) ?? [];
  if (digits.length < shortestKey) return null;
  switch (kind) {
    case 'changed':
      return `${digits.slice(0, -1)}${otherDigit(digits.slice(-1))}${end}`;
    case 'longer':
      return `${digits}q7${end}`;
    case 'shorter':
      return `${digits.slice(0, -1)}${end}`;
    case 'otherCase': {
      const other = [...key].map(inOtherCase).join('');
      return other === key ? null : other;
    }
  }
}

/** Returns another digit. In base64, the lowest bits of the last digit may have no meaning. */
function otherDigit(digit: string): string {
  // In base64, 0 to 9 and w to z have both highest bits set and `a` has one, so the key really changes. A
  // hexadecimal key stays hexadecimal.
  return /[0-9w-z]/.test(digit) ? 'a' : '0';
}

function inOtherCase(character: string): string {
  if (!/[a-z]/i.test(character)) return character;
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}
