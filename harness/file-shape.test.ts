import { describe, expect, test } from 'vitest';
import { type Sources, sourcesOf } from './testing.ts';

/** Lines, of tests too. Ideas decide where a file ends; what is longer has more than one. */
const lineLimit = 500;

/** Names that say nothing about what is inside. */
const vagueNames = /^(utils?|helpers?|common|misc)$/;

function vagueFiles(sources: Sources): string[] {
  return [...sources.keys()].filter((path) =>
    path.split('/').some((part) => vagueNames.test(part.split('.')[0] ?? '')),
  );
}

function longFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
    if (lines <= lineLimit) return [];
    return [`${path} has ${lines} lines; at most ${lineLimit}: split it by ideas`];
  });
}

describe('the project', () => {
  const sources = sourcesOf('harness', 'suites');

  test('has no file with a vague name', () => {
    expect(vagueFiles(sources)).toEqual([]);
  });

  test('has no long file', () => {
    expect(longFiles(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  test('a vague name, of a file or a folder', () => {
    const paths = [
      'harness/wire/utils.ts',
      'harness/cli/helpers.test.ts',
      'suites/common/a.check.ts',
    ];
    const fine = ['harness/wire/common-headers.ts', 'suites/tools/call.check.ts'];
    const sources = new Map([...paths, ...fine].map((path) => [path, '']));
    expect(vagueFiles(sources)).toEqual(paths);
  });

  test('a line too many', () => {
    const lines = (count: number): string => 'x\n'.repeat(count);
    const sources = new Map([
      ['suites/a/fits.check.ts', lines(500)],
      ['suites/a/long.check.ts', lines(501)],
      ['harness/wire/fits.ts', lines(500)],
      ['harness/wire/long.ts', `${lines(500)}x`],
    ]);
    expect(longFiles(sources)).toEqual([
      expect.stringContaining('suites/a/long.check.ts has 501 lines'),
      expect.stringContaining('harness/wire/long.ts has 501 lines'),
    ]);
  });
});
