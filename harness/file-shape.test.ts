import { dirname } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { isTest, type Sources, sourcesOf } from './testing.ts';

/** Lines, of tests too. Ideas decide where a file ends; what is longer than this has several. */
const mostLines = 500;

/** The ids of the catalogue, as long as there are any: nobody splits what is generated. */
const generated = 'harness/kernel/core/catalogue-ids.ts';

/** Source files in one folder, without its subfolders and without tests: more is a heap. */
const mostFiles = 50;

/** Names that say nothing about what is inside. */
const vagueNames = /^(utils?|helpers?|common|misc)$/;

function vagueFiles(sources: Sources): string[] {
  return [...sources.keys()].filter((path) =>
    path.split('/').some((part) => vagueNames.test(part.split('.')[0] ?? '')),
  );
}

function longFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    if (path === generated) return [];
    const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
    return lines > mostLines
      ? [`${path} has ${lines} lines; at most ${mostLines}: split it by ideas`]
      : [];
  });
}

function heaps(sources: Sources): string[] {
  const folders = new Map<string, number>();
  for (const path of sources.keys()) {
    if (!isTest(path)) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  }
  return [...folders].flatMap(([folder, count]) =>
    count > mostFiles ? [`${folder} has ${count} files; at most ${mostFiles}: sort them`] : [],
  );
}

describe('the project', () => {
  const sources = sourcesOf('harness', 'suites');

  test('has no file with a vague name', () => {
    expect(vagueFiles(sources)).toEqual([]);
  });

  test('has no long file', () => {
    expect(longFiles(sources)).toEqual([]);
  });

  test('has no folder that is a heap', () => {
    expect(heaps(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  test('a vague name, of a file or a folder', () => {
    const paths = [
      'harness/kernel/wire/utils.ts',
      'harness/kernel/terminal/helpers.test.ts',
      'suites/common/a.check.ts',
    ];
    const fine = ['harness/kernel/wire/common-headers.ts', 'suites/tools/call.check.ts'];
    const sources = new Map([...paths, ...fine].map((path) => [path, '']));
    expect(vagueFiles(sources)).toEqual(paths);
  });

  test('a line too many', () => {
    const lines = (count: number): string => 'x\n'.repeat(count);
    const sources = new Map([
      ['suites/a/fits.check.ts', lines(500)],
      ['harness/kernel/wire/long.ts', `${lines(500)}x`],
    ]);
    expect(longFiles(sources)).toEqual([
      expect.stringContaining('harness/kernel/wire/long.ts has 501 lines'),
    ]);
  });

  test('a file too many', () => {
    const folder = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => [`${name}/file-${i}.ts`, ''] as const);
    const sources = new Map([
      ...folder('harness/fits', 50),
      ['harness/fits/one.test.ts', ''],
      ...folder('harness/heap', 51),
    ]);
    expect(heaps(sources)).toEqual([expect.stringContaining('harness/heap has 51 files')]);
  });
});
