import { expect, test } from 'vitest';
import { seeded } from './engine.ts';
import { countTokens } from './tokens.ts';

/** A token as one regular expression, against which the counter is tested. */
const token = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

const texts = [
  ...['', ' ', 'one', 'Two words.', '"quoted", (twice)\n', 'a_b', "it's"],
  ...['größe Übung', '你好, 世界', 'e\u0301cole', 'a\u00a0b\u2003c\ufeffd', 'नमस्ते'],
  // Two units each: an emoji, a letter, a combination; and halves alone.
  ...['😀😀 x', '𝐀𝐁c', '👩\u200d👧', '\ud83d', 'a\udc00b', '\udc00\ud83d'],
];

test.each(texts)('tokens of %j', (text) => {
  expect(countTokens(text)).toBe(text.match(token)?.length ?? 0);
});

test('a text of any characters has as many tokens as the expression finds', () => {
  const random = seeded(1);
  for (let round = 0; round < 300; round++) {
    const most = [0x80, 0x3000, 0x1_0000, 0x11_0000][round % 4] ?? 0;
    const points = Array.from({ length: 30 }, () => Math.floor(random() * most));
    const text = String.fromCodePoint(...points);
    expect([text, countTokens(text)]).toEqual([text, text.match(token)?.length ?? 0]);
  }
});
