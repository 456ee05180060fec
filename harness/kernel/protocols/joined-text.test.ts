import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fragments } from './joined-text.ts';
import { ViolationLog } from './violation-log.ts';

/**
 * Returns the index of the event at which the text is repeated; null if each fragment continues it. The
 * fragments are events 3, 4, …
 */
function anewAt(fragments: readonly string[]): number | null {
  const read = new Fragments();
  for (const [index, fragment] of fragments.entries()) read.read(fragment, index + 3);
  const log = new ViolationLog<'no-repeated-text'>([]);
  read.judge(log);
  const [violation, ...others] = log.violations();
  expect(others).toEqual([]);
  if (violation !== undefined) expect(violation.rule).toBe('no-repeated-text');
  return violation?.index ?? null;
}

test.each([
  ['from the second on', ['He', 'Hello', 'Hello there'], 4],
  ['where some bring nothing new', ['He', '', 'Hello', '', 'Hello there', ''], 5],
])('a text that comes anew with each fragment is told: %s', (_, fragments, index) => {
  expect(anewAt(fragments)).toBe(index);
});

test.each([
  ['the words go on', ['Hello', ' there', '.']],
  ['they do once, whenever that is', ['He', 'Hello', 'Hello there', '.', '...', '.....']],
  ['each is longer than the one before', ['a', 'bb', 'ccc', 'dddd']],
  ['all are alike', ['ha', 'ha', 'ha', 'ha']],
  ['two begin alike', ['He', 'Hello']],
  ['two begin alike, after nothing', ['', 'He', 'Hello']],
  ['there is none', []],
])('nothing is told where %s', (_, fragments) => {
  expect(anewAt(fragments)).toBeNull();
});

test('whatever the words are, the whole text each time is told of, unless it goes on once', () => {
  const words = fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(words, (all) => {
      const whole = all.map((_, n) => all.slice(0, n + 1).join(''));
      expect(anewAt(whole)).toBe(4);
      expect(anewAt([...whole, '.'])).toBeNull();
    }),
  );
});
