import { array, assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { labelled, padded, shortened, widest, wrap } from './wrap.ts';

test('a line is broken at spaces, and within a word that is longer than a line', () => {
  expect(wrap('one two three four five six', 20)).toEqual(['one two three four', 'five six']);
  expect(wrap('x'.repeat(45), 20)).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)]);
  expect(wrap('', 20)).toEqual(['']);
});

test('line ends and the spaces before a line stay', () => {
  expect(wrap('{\n  "a": 1\n\n}', 40)).toEqual(['{', '  "a": 1', '', '}']);
});

test('characters that take two columns are counted so, and marks that take none', () => {
  expect(wrap('漢字'.repeat(11), 20)).toEqual(['漢字'.repeat(5), '漢字'.repeat(5), '漢字']);
  expect(wrap('e\u0301'.repeat(20), 20)).toHaveLength(1);
  expect(padded('漢字', 6)).toBe('漢字  ');
  expect(shortened('漢字漢字', 5)).toBe('漢字…');
  expect(shortened('abcd', 4)).toBe('abcd');
  expect(widest(['abc', '漢字', ''])).toBe(4);
  expect(labelled('漢 ', ['a', 'b'])).toEqual(['漢 a', '   b']);
});

test('colours take no column', () => {
  const esc = String.fromCharCode(27);
  const red = (text: string) => `${esc}[31m${text}${esc}[39m`;
  expect(wrap(red('one two three four'), 20)).toHaveLength(1);
  expect(labelled(red('a '), ['x', 'y'])[1]).toBe('  y');
});

test('plain text is wrapped as the library wraps it', () => {
  const word = constantFrom('a', 'of', 'it’s', 'request', '“whole”', 'credentials', '→', '');
  assert(
    property(array(word, { maxLength: 30 }), integer({ min: 20, max: 60 }), (words, width) => {
      const line = `x ${words.join(' ')}`;
      expect(wrap(line, width)).toEqual(wrapAnsi(line, width, { hard: true }).split('\n'));
    }),
  );
});
