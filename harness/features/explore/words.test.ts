import { expect, test } from 'vitest';
import { inventedWord } from '../../kernel/drawn/invented-word.ts';
import type { Sent } from './perform.ts';
import { actOn, create, history, response, sentOf } from './testing.ts';
import { KnownWords } from './words.ts';

const [one = '', two = '', three = ''] = [1, 2, 3].map((n) => inventedWord([n, n + 1, n + 2, 9]));

const says = (n: number, word: string, shown: string, more: Partial<Sent> = {}): Sent =>
  sentOf({ ...create, n }, response(`Of ${shown}.`), { words: [word], id: null, ...more });

function found(known: KnownWords, ...sent: readonly Sent[]): readonly string[] {
  return known.violationsIn(history(...sent)).map(({ n, row, actual }) => `${n} ${row} ${actual}`);
}

const row = 'everywhere/content.own-words-only:responses';

test('an answer shows the words of its own conversation, and no others', () => {
  const known = new KnownWords();
  const first = says(0, one, one, { id: 'resp_0' });
  const next = { ...says(1, two, one), act: { ...create, n: 1, previous: 0 } };
  const lookup = sentOf(actOn(2, 'lookup'), response(`Of ${one}.`));
  expect(found(known, first, next, lookup)).toEqual([]);
  expect(found(new KnownWords(), says(0, one, one), says(1, two, one))).toEqual([
    `1 ${row} “${one}”, which act 0 has sent`,
  ]);
});

test('nor that of an earlier history, as long as it is known', () => {
  const known = new KnownWords(2);
  expect(found(known, says(0, one, one))).toEqual([]);
  expect(found(known, says(3, two, one))).toEqual([
    `3 ${row} “${one}”, which explore/1#0/0 has sent, in another history`,
  ]);
  expect(found(known, says(4, three, 'nothing'))).toEqual([]);
  // Two words are kept here: the first is forgotten.
  expect(found(known, says(5, two, one))).toEqual([]);
});

test('nor that of one that goes on beside it, whichever is judged first', () => {
  const known = new KnownWords();
  expect(found(known, says(0, one, two))).toEqual([]);
  expect(found(known, says(1, two, 'nothing'))).toEqual([
    `1 ${row} “${two}”, which act 1 of another history has sent`,
  ]);
});

test('no two responses have one id', () => {
  const known = new KnownWords();
  const ids = 'generation/responses.id-unique';
  const twice = [says(0, one, one, { id: 'resp_0' }), says(1, two, two, { id: 'resp_0' })];
  expect(found(known, ...twice)).toEqual([`1 ${ids} resp_0, as explore/1#0/0 got`]);
  expect(found(known, says(2, three, three, { id: 'resp_1' }))).toEqual([]);
});
