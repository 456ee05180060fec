import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rooms } from './docs/rooms.ts';
import { packageRoot } from './spec/package-root.ts';
import { isTest, type Sources, sourcesOf } from './testing.ts';

/** Where the packages of a room are limited too; Node's own modules are listed by their prefix. */
const mayUsePackages: Record<string, readonly string[]> = {
  suites: [],
  reference: ['node:', 'ws', 'yaml'],
};

/** Rooms that users do not get: what only they use need not be installed with Touchstone. */
const notShipped = ['docs'];

/** What a test may import beyond its room: something real to speak to. Not so the reference's own tests. */
const testsMayImport = ['reference'];

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Path from the package root; null for a package. */
  readonly to: string | null;
}

/**
 * Statements stand at the beginning of a line (the formatter sees to it), which keeps what only looks
 * like one, in a comment or a string, out. An `import('…')` may stand anywhere, as a type too.
 */
const specifierForms = [
  /^(?:import|export)\b[^;'"]*?\bfrom\s+['"]([^'"\n]+)['"]/gm,
  /^import\s+['"]([^'"\n]+)['"]/gm,
  /\b(?:import|require|mock|importActual)\(\s*['"]([^'"\n]+)['"]/g,
];

function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, source]) =>
    specifierForms
      .flatMap((form) => [...source.matchAll(form)])
      .flatMap(([, specifier]) => specifier ?? [])
      .map((specifier) => ({ from, specifier, to: resolved(from, specifier) })),
  );
}

function resolved(from: string, specifier: string): string | null {
  if (specifier === 'gateway-touchstone') return 'harness/library.ts';
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

const packageFiles = ['library.ts', 'vitest.ts'];

/** The room of a path from the package root; null outside of all rooms (fixtures, package.json). */
function roomOf(path: string): string | null {
  const [top, second = ''] = path.split('/');
  if (top === 'suites') return 'suites';
  if (top !== 'harness') return null;
  if (packageFiles.includes(second)) return 'package';
  return second.endsWith('.ts') ? 'door' : second;
}

/** `@scope/name/deep` → `@scope/name`; `node:fs` → `node:`. */
function packageOf(specifier: string): string {
  if (isBuiltin(specifier)) return 'node:';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Every import that breaks the table, as a sentence. */
function brokenImports(sources: Sources, manifest: Manifest): string[] {
  const { dependencies, devDependencies } = manifest;
  return importsOf(sources).flatMap(({ from, specifier, to }) => {
    const room = roomOf(from);
    const says = `${from} imports ${specifier}`;
    // Tests beside the door look at the whole house, this one among them.
    if (room === null || (room === 'door' && isTest(from))) return [];
    if (to === null) {
      const name = packageOf(specifier);
      const packages = mayUsePackages[room];
      if (isTest(from)) return [];
      if (packages && !packages.includes(name)) {
        return [`${says}: ${room} may use ${packages.join(', ') || 'no package'}`];
      }
      const mayBe = notShipped.includes(room)
        ? { ...dependencies, ...devDependencies }
        : dependencies;
      if (name !== 'node:' && !(name in mayBe)) {
        return [`${says}: not among the dependencies that users install`];
      }
      return [];
    }
    const other = roomOf(to);
    if (other === room) return [];
    if (other === null) {
      const data = to.startsWith('fixtures/') || to === 'package.json';
      return data ? [] : [`${says}: outside of every room`];
    }
    const allowed = rooms[room]?.mayImport;
    if (!allowed)
      return [
        `${from} is in no known room: add ${room} to harness/docs/rooms.ts, or move the file`,
      ];
    if (allowed.includes(other)) return [];
    if (isTest(from) && room !== 'reference' && testsMayImport.includes(other)) return [];
    return [`${says}: ${room} may import ${allowed.join(', ') || 'no other room'}`];
  });
}

/** Rooms that import each other, however long the way round: `a → b → a`. */
function cyclesBetweenRooms(sources: Sources): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of importsOf(sources)) {
    const [room, other] = [roomOf(from), to === null ? null : roomOf(to)];
    if (room === null || other === null || room === other || isTest(from)) continue;
    graph.set(room, (graph.get(room) ?? new Set()).add(other));
  }
  const cycles = new Set<string>();
  const walk = (path: readonly string[]): void => {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      const start = path.indexOf(next);
      if (start === -1) walk([...path, next]);
      // One way round has as many beginnings as rooms: keep that of the first name.
      else if (next === path.slice(start).sort()[0])
        cycles.add([...path.slice(start), next].join(' → '));
    }
  };
  for (const room of graph.keys()) walk([room]);
  return [...cycles];
}

describe('the project', () => {
  const sources = sourcesOf('harness', 'suites');
  const manifest: Manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

  test('is read: the imports of every room are seen', () => {
    // Guards the reading itself: a pattern that matches nothing would keep all rules below.
    const imports = importsOf(sources);
    expect(imports.length).toBeGreaterThan(sources.size);
    const missing = imports.filter(({ to }) => to?.endsWith('.ts') && !sources.has(to));
    expect(missing).toEqual([]);
  });

  test('keeps to the table of rooms', () => {
    expect(brokenImports(sources, manifest)).toEqual([]);
  });

  test('has no cycles between rooms', () => {
    expect(cyclesBetweenRooms(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const manifest: Manifest = {
    dependencies: { undici: '7', ws: '8', yaml: '2' },
    devDependencies: { openai: '6', 'markdown-table': '3' },
  };
  const broken = (path: string, source: string): string[] =>
    brokenImports(new Map([[path, source]]), manifest);

  test.each([
    ['harness/wire/a.ts', `import { b } from '../clients/b.ts';`],
    ['harness/wire/a.ts', `import type { b } from '../spec/verdict.ts';`],
    ['harness/wire/a.ts', `import {\n  type B,\n  c,\n} from '../expect/b.ts';`],
    ['harness/wire/a.ts', `import b, * as c from "../check/b.ts";`],
    ['harness/wire/a.test.ts', `import { b } from '../target/b.ts';`],
    ['harness/spec/a.ts', `export * from '../wire/exchange.ts';`],
    ['harness/spec/a.ts', `export type { B } from '../report/b.ts';`],
    ['harness/report/a.ts', `import '../check/b.ts';`],
    ['harness/report/a.ts', `const b = await import('../cli/b.ts');`],
    ['harness/report/a.ts', `type B = import('../check/b.ts').B;`],
    ['harness/reference/chat/a.ts', `import { b } from '../../spec/protocol.ts';`],
    ['harness/reference/a.test.ts', `import { b } from '../clients/b.ts';`],
    ['harness/reference/a.ts', `import { request } from 'undici';`],
    ['harness/cli/a.ts', `import '../../suites/responses/store.check.ts';`],
    ['harness/cli/a.ts', `import OpenAI from 'openai';`],
    ['harness/index.ts', `export { run } from './cli/run.ts';`],
    ['harness/library.ts', `export { runCommand } from './cli/run.ts';`],
    ['suites/a/b.check.ts', `import { run } from 'gateway-touchstone';`],
    ['harness/docs/a.ts', `import { check } from '../check/check.ts';`],
    ['harness/docs/a.ts', `import _ from 'lodash';`],
    ['harness/attic/a.ts', `import { b } from '../spec/b.ts';`],
    ['harness/spec/a.ts', `import { b } from '../../vitest.config.ts';`],
    ['suites/responses/a.check.ts', `import { b } from '../../harness/clients/responses.ts';`],
    ['suites/responses/a.check.ts', `import { expect } from 'vitest';`],
    ['suites/responses/a.check.ts', `import { readFileSync } from 'node:fs';`],
  ])('%s: %s', (path, source) => {
    expect(broken(path, source)).toEqual([expect.stringContaining(path)]);
  });

  test.each([
    ['harness/clients/a.ts', `import { b } from '../wire/b.ts';\nimport { c } from './c.ts';`],
    ['harness/clients/a.test.ts', `import { b } from '../reference/index.ts';`],
    ['harness/reference/a.test.ts', `import OpenAI from 'openai';\nimport { b } from 'vitest';`],
    ['harness/reference/a.ts', `import { parse } from 'yaml';\nimport { b } from 'node:http';`],
    ['suites/a/b.check.ts', `import { check } from '../../harness/index.ts';`],
    ['suites/a/b.check.ts', `import { check } from '../../harness/index.ts';\nimport './c.ts';`],
    ['harness/library.ts', `export { renderJson } from './report/json.ts';`],
    ['harness/docs/a.ts', `import { markdownTable } from 'markdown-table';`],
    [
      'harness/spec/a.ts',
      `// import { b } from '../wire/b.ts';\nexport const c = "from '../cli/c.ts'";`,
    ],
  ])('and what is allowed is not: %s: %s', (path, source) => {
    expect(broken(path, source)).toEqual([]);
  });

  test('a cycle, once, by its shortest name', () => {
    const cycle = new Map([
      ['harness/spec/a.ts', `import { b } from '../report/b.ts';`],
      ['harness/report/b.ts', `import { c } from '../expect/c.ts';`],
      ['harness/expect/c.ts', `import { a } from '../spec/a.ts';`],
      ['harness/cli/d.ts', `import { a } from '../spec/a.ts';`],
    ]);
    expect(cyclesBetweenRooms(cycle)).toEqual(['expect → spec → report → expect']);
  });
});
