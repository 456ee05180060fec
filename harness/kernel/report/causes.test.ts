import { expect, test } from 'vitest';
import { isTest, sourcesOf } from '../../testing.ts';

/**
 * A message is for people: a re-worded one must not change what a program does. Codes are for programs:
 * causes, gaps, states.
 */
const matchesWords = [
  /\b(reason|message|detail|why|next|actual|expected)\)?\??\.(startsWith|endsWith|includes|match|matchAll|search|indexOf)\(/,
  /\.test\(\s*[\w.?]*\b(reason|message|detail|why|actual|expected)\b/,
  /\.exec\(\s*[\w.?]*\b(reason|message|detail|why|actual|expected)\b/,
];

function matchers(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(';')
    .filter((statement) => matchesWords.some((pattern) => pattern.test(statement)));
}

test('the pattern finds what it is to find', () => {
  expect(matchers("if (verdict.reason.startsWith('x')) return;")).toHaveLength(1);
  expect(matchers('return /a rate limit/.test( verdict.reason, );')).toHaveLength(1);
  expect(matchers("const { reason } = verdict; if (reason?.includes('x')) return;")).toHaveLength(
    1,
  );
  expect(matchers('return verdict.cause;')).toEqual([]);
});

test('no program text of these rooms matches a message', () => {
  const folders = ['report', 'engine', 'terminal', 'cli', 'judge', 'targets'];
  const sources = sourcesOf(...folders.map((folder) => `harness/kernel/${folder}`));
  const found = [...sources].flatMap(([path, text]) =>
    isTest(path) ? [] : matchers(text).map((statement) => `${path}: ${statement.trim()}`),
  );
  expect(found).toEqual([]);
});
