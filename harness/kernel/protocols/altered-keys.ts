import type { AlteredKey } from './call.ts';

/** Alterations of the owner's key that leave it almost the same. */
export const alteredKeys = [
  'changed',
  'longer',
  'shorter',
  'otherCase',
  'empty',
] as const satisfies readonly AlteredKey[];

/** Shorter keys are counted, perhaps: what is almost one may be another. */
const shortestKey = 16;

/**
 * A key that is almost another, so that only who compares all of it tells them apart. Where keys are
 * encoded bytes, it stands for others: its last digit is changed in its highest bits, and two digits
 * are added, as a single one may decode to nothing.
 *
 * @returns null where a key is too short, or has no letters to write in the other case
 */
export function alteredKey(key: string, kind: AlteredKey): string | null {
  if (kind === 'empty') return '';
  // A tail that carries no digits of the key, such as the padding of base64, stays in place.
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

/** Another digit, also of base64, where the lowest bits of the last one may have no meaning. */
function otherDigit(digit: string): string {
  // In base64, 0 to 9 and w to z have both highest bits set and `a` has one, so the key really changes. A
  // hexadecimal key stays hexadecimal.
  return /[0-9w-z]/.test(digit) ? 'a' : '0';
}

function inOtherCase(character: string): string {
  if (!/[a-z]/i.test(character)) return character;
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}
