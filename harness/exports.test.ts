import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTest, type Sources, sourcesOf } from './testing.ts';

/** Files that users import, or that a tool loads by path. */
const loadedByOthers = [
  'harness/features/library/library.ts',
  'harness/features/library/mock.ts',
  'harness/features/library/vitest.ts',
  'harness/testing-folder.ts',
  // The frozen record of the ids.
  'harness/kernel/core/catalogue-ids.ts',
  // A page runs it.
  'harness/features/compare/board/board.client.ts',
  'harness/features/live/live.client.ts',
  'harness/kernel/report/html/page.client.ts',
];

/** Exports of shipped files that only tests use, with the reason. */
const forTests: Readonly<Record<string, string>> = {
  'harness/kernel/redaction/gate.ts forgetKept': 'what it forgets, nothing else may reach',
};

/** Types that only the declarations of exported functions name, and that the compiler wants to import. */
const ofDeclarations = [
  'harness/kernel/core/catalogue-ids.ts UncheckedIds',
  'harness/kernel/protocols/endpoints.ts Endpoint',
  'suites/scenarios/baselines.ts Baseline',
  'suites/scenarios/stored/served-operations.ts Served',
];

/** Comments name much that the code does not use. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** The names in `{ a, type B, c as d }`, as the module that they come from calls them. */
function namesIn(list: string, side: 'inner' | 'outer'): string[] {
  return list.split(',').flatMap((part) => {
    const [inner, outer = inner] = part
      .trim()
      .replace(/^type /, '')
      .split(/ as |: /);
    const name = side === 'inner' ? inner : outer;
    return name ? [name] : [];
  });
}

/** Names that a file exports. Statements stand at the beginning of a line: the formatter sees to it. */
function exportsOf(source: string): string[] {
  const declared = source.matchAll(
    /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
  );
  const listed = source.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, list = '']) => namesIn(list, 'outer')),
  ];
}

/** Files that use each export: `path name` → the files. */
function usesOf(sources: Sources): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const use = (from: string, specifier: string, names: readonly string[]): void => {
    if (!specifier.startsWith('.')) return;
    const path = posix.join(posix.dirname(from), specifier);
    for (const name of names) {
      const key = `${path} ${name}`;
      uses.set(key, (uses.get(key) ?? new Set()).add(from));
    }
  };
  for (const [from, source] of sources) {
    const named = /^(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/gm;
    for (const [, list = '', specifier = ''] of source.matchAll(named)) {
      use(from, specifier, namesIn(list, 'inner'));
    }
    // `import * as` and `import('…')` may use whatever the file names.
    const whole = /^import (?:type )?\*[^']*'([^']+)'|\bimport\(\s*'([^']+)'/gm;
    for (const [, one, other = one] of source.matchAll(whole)) {
      use(from, other ?? '', [...new Set(source.match(/\w+/g))]);
    }
  }
  return uses;
}

/** Every name that is exported without need, as a sentence. */
function withoutNeed(sources: Sources): string[] {
  const uses = usesOf(sources);
  return [...sources].flatMap(([path, source]) => {
    if (loadedByOthers.includes(path)) return [];
    const code = withoutComments(source);
    return exportsOf(code).flatMap((name) => {
      const users = [...(uses.get(`${path} ${name}`) ?? [])];
      const isUsedHere = (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
      if (users.length === 0) {
        if (ofDeclarations.includes(`${path} ${name}`)) return [];
        return [`${path} exports ${name}: ${isUsedHere ? 'only it uses it' : 'nobody uses it'}`];
      }
      const isOfTests = isTest(path) || path.startsWith('harness/lab/docs/') || isUsedHere;
      if (isOfTests || !users.every(isTest) || `${path} ${name}` in forTests) return [];
      return [`${path} exports ${name}: only tests use it; move it to a file of theirs`];
    });
  });
}

describe('the project', () => {
  test('exports nothing without need', () => {
    expect(withoutNeed(sourcesOf('harness', 'suites'))).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const found = (files: Record<string, string>): string[] =>
    withoutNeed(new Map(Object.entries(files)));

  test.each([
    ['nobody uses it', { 'harness/a/b.ts': 'export const one = 1;\n' }],
    ['only it uses it', { 'harness/a/b.ts': 'export function one() {\n  return one;\n}\n' }],
    ['nobody uses it', { 'harness/a/b.ts': '// one\nexport interface one {}\n' }],
    ['nobody uses it', { 'harness/index.ts': "export { type one } from 'a';\n" }],
    [
      'only tests use it',
      {
        'harness/a/b.ts': 'export const one = 1;\n',
        'harness/a/testing-b.ts': "import { one } from './b.ts';\n",
      },
    ],
  ])('%s: %o', (why, files) => {
    expect(found(files)).toEqual([expect.stringContaining(`one: ${why}`)]);
  });

  test.each([
    { 'harness/c.ts': "import { one as two } from './a/b.ts';\n" },
    { 'harness/c.ts': "import {\n  type one,\n} from './a/b.ts';\n" },
    { 'harness/c.ts': "import * as all from './a/b.ts';\nall.one();\n" },
    { 'harness/c.ts': "const { one } = await import('./a/b.ts');\n" },
  ])('and what is used is not: %o', (files) => {
    expect(found({ ...files, 'harness/a/b.ts': 'export const one = 1;\n' })).toEqual([]);
  });
});
