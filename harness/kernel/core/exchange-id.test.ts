import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareIds, type ExchangeId, exchangeId, formatId, parseId } from './exchange-id.ts';
import { idFrom } from './testing.ts';

const name = fc.string({ minLength: 1 }).map((text) => text.replaceAll(/[#@/]/g, '-'));
const scenario = fc.tuple(name, name).map((parts) => parts.join('/'));
const lane = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constant('a/b#main/2+lag'));

const id: fc.Arbitrary<ExchangeId> = fc.record({
  origin: fc.constantFrom('scenario', 'asked-again', 'load', 'observed', 'sentinel'),
  scenario,
  region: fc.option(fc.string({ minLength: 1 }).map((text) => text.replaceAll('#', '-'))),
  lane,
  number: fc.nat(),
  request: fc.option(fc.nat()),
  again: fc.subarray<ExchangeId['again'][number]>(['lag', 'lockout', 'put-off']),
  attempt: fc.integer({ min: 1, max: 20 }),
});

test('an id comes back from its text', () => {
  fc.assert(
    fc.property(id, (one) => {
      expect(parseId(formatId(one))).toEqual(one);
    }),
  );
});

test('no two ids have one text', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      const isSame = formatId(one) === formatId(other);
      expect(compareIds(one, other) === 0).toBe(isSame);
      if (isSame) expect(one).toEqual(other);
    }),
  );
});

test('a text is read as it would be written, or not at all', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z/@#.+0-9]{1,30}$/), (text) => {
      const read = parseId(text);
      if (read !== null) expect(formatId(read)).toBe(text);
    }),
  );
});

test.each<[string, Partial<ExchangeId>]>([
  ['storage/deleted#main/2', { number: 2 }],
  ['storage/deleted@us#main/2', { number: 2, region: 'us' }],
  ['storage/deleted#main/0+lag', { again: ['lag'] }],
  ['storage/deleted#main/0+lockout+put-off', { again: ['put-off', 'lockout'] }],
  ['storage/deleted#main/2+put-off+connection.3', { number: 2, again: ['put-off'], attempt: 3 }],
  ['storage/deleted#main/0.4', { request: 4 }],
  ['sentinel/eu/owner#main/7', { origin: 'sentinel', scenario: 'eu/owner', number: 7 }],
  [
    'asked-again/free#a/b#main/0+lag/1',
    { origin: 'asked-again', scenario: 'free', lane: 'a/b#main/0+lag', number: 1 },
  ],
])('%s', (text, members) => {
  const one = exchangeId({ scenario: 'storage/deleted', ...members });
  expect(formatId(one)).toBe(text);
  expect(formatId(idFrom(text))).toBe(text);
});

test.each([
  'a',
  'a#main',
  '#main/0',
  'a#/0',
  'a#main/00',
  'a#main/0~2',
  'a#main/2-again',
  'a#b/0+x',
])('%s is no id', (text) => {
  expect(parseId(text)).toBeNull();
});

test('ids are in the order of their calls, each with its retries behind it', () => {
  const texts = ['a#main/2', 'a#main/2+connection.2', 'a#main/10', 'a@us#main/0', 'b#a/0'];
  expect(texts.map(idFrom).reverse().sort(compareIds).map(formatId)).toEqual(texts);
});
