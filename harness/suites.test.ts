import { describe, expect, test } from 'vitest';
import { type Sources, sourcesOf } from './testing.ts';

const isCheckFile = (path: string): boolean => path.endsWith('.check.ts');

/** `suites/access/owners.check.ts` → `access`. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Ids and beginnings of ids that stand in a file: `'access/owners.item'`, `` `counting/${protocol}.shape` ``. */
function idsIn(source: string, suites: readonly string[]): string[] {
  const form = new RegExp(`['"\`]((?:${suites.join('|')})/[^'"\`\\s/]+\\.[^'"\`\\s]*)['"\`]`, 'g');
  return [...source.matchAll(form)].flatMap(([, id]) => id ?? []);
}

/** Every id that is checked in another folder than that of its suite, as a sentence. */
function idsInOtherFolders(sources: Sources): string[] {
  const paths = [...sources.keys()].filter(isCheckFile);
  const suites = [...new Set(paths.map(folderOf))];
  return paths.flatMap((path) =>
    idsIn(sources.get(path) ?? '', suites)
      .filter((id) => !id.startsWith(`${folderOf(path)}/`))
      .map((id) => `${path} checks ${id}: its place is suites/${id.split('/')[0]}/`),
  );
}

describe('the suites', () => {
  const sources = sourcesOf('suites');

  test('are read: the ids of every check file are seen', () => {
    const suites = [...new Set([...sources.keys()].map(folderOf))];
    const without = [...sources].filter(
      ([path, source]) => isCheckFile(path) && idsIn(source, suites).length === 0,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });

  test('check every id in the folder of its suite', () => {
    expect(idsInOtherFolders(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  test('an id of another suite', () => {
    const area = ['$', '{area}'].join('');
    const sources = new Map([
      ['suites/access/owners.check.ts', `check('storage/deletion.served', deleted, judge);`],
      [
        'suites/storage/deletion.check.ts',
        `check(\`access/${area}.item\`, it, judge);\ncheck(\`storage/${area}.item\`, it, judge);`,
      ],
      ['suites/storage/lookups.ts', `scenario('access/owners.item', {}, capture);`],
    ]);
    expect(idsInOtherFolders(sources)).toEqual([
      'suites/access/owners.check.ts checks storage/deletion.served: its place is suites/storage/',
      `suites/storage/deletion.check.ts checks access/${area}.item: its place is suites/access/`,
    ]);
  });
});
