import { expect, test } from 'vitest';
import { challenge } from './challenge-option.ts';

test.each([
  ['', false],
  ['short', false],
  ['two lines\nof a challenge', false],
  ['6f1d9c20b7e84a35', true],
  ['Zm9v+/=Zm9vYmFyYmF6', true],
  ['x'.repeat(129), false],
])('a challenge: %j is %s', (text, expected) => {
  const parsed = (): string => challenge(text);
  if (expected) expect(parsed()).toBe(text);
  else expect(parsed).toThrow('Expected 16 to 128 letters');
});
