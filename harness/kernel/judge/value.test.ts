import { expect, test } from 'vitest';
import { at, parsed, shown } from '../core/json-value.ts';
import { cutLine } from '../core/message-of.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { expectValue } from './value.ts';

const value = (actual: unknown) => expectValue(actual, { as: 'it', of: null });

function failure(judge: () => void): string | null {
  try {
    judge();
    return null;
  } catch (error) {
    if (error instanceof ExpectationFailed) return `${error.expected} | ${error.actual}`;
    throw error;
  }
}

test.each([
  [1, 1, true],
  [1, 2, false],
  [1, '1', false],
  [null, null, true],
  [null, 0, false],
  [undefined, undefined, true],
  [undefined, null, false],
  [{ a: 1, b: { c: null, d: [1] } }, { b: { d: [1], c: null }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [[], {}, false],
])('%j equals %j: %s', (actual, expected, equal) => {
  expect(failure(() => value(actual).toEqual(expected)) === null).toBe(equal);
});

test('what fails is told with what was expected', () => {
  expect(failure(() => value('a').toEqual('b'))).toBe('it: "b" | it: "a"');
  expect(failure(() => value('a').toBeOneOf(['b', 3]))).toBe('it: "b" or 3 | it: "a"');
  expect(failure(() => value(undefined).toEqual('b'))).toBe('it: "b" | it: nothing');
  expect(failure(() => value('a').toBeOneOf(['b', 'a']))).toBeNull();
});

test('numbers have bounds, and what is no number is beyond them', () => {
  expect(failure(() => value(3).toBeAtMost(3))).toBeNull();
  expect(failure(() => value(4).toBeAtMost(3))).toBe('it: at most 3 | it: 4');
  expect(failure(() => value('1').toBeAtMost(3))).not.toBeNull();
  expect(failure(() => value(4).toBeMoreThan(3))).toBeNull();
  expect(failure(() => value(3).toBeMoreThan(3))).toBe('it: more than 3 | it: 3');
  expect(failure(() => value('4').toBeMoreThan(3))).not.toBeNull();
});

test('a long text is cut, on one line', () => {
  expect(cutLine('abc', 3)).toBe('abc');
  expect(cutLine('abcd', 3)).toBe('ab…');
  expect(cutLine(' a \n\t b ')).toBe('a b');
  expect(shown('a'.repeat(300))).toHaveLength(200);
  expect([shown(undefined), shown({ a: 1 }), shown(Number.NaN)]).toEqual([
    'nothing',
    '{"a":1}',
    'null',
  ]);
});

test('a path leads to own members and elements only', () => {
  const body = { a: [{ b: 1 }], text: 'x' };
  expect([at(body, 'a[0].b'), at(body, 'a[1].b'), at(body, 'text.length')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
  expect([at(body, 'toString'), at(null, 'a')]).toEqual([undefined, undefined]);
  expect([parsed('{'), parsed('{"a":1}')]).toEqual([undefined, { a: 1 }]);
});

test('what a judgement throws has a name of its own', () => {
  expect(String(new ExpectationFailed('a', 'b'))).toBe('ExpectationFailed: expected a, got b');
  expect(String(new Inconclusive('later'))).toBe('Inconclusive: later');
});
