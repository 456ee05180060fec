import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';
import { bundledPackages } from './lab/build/bundled.ts';
import { layers } from './lab/docs/layers.ts';
import { isTest, roomOf, type Sources, sourcesOf } from './testing.ts';

/** Packages that a layer may use, if they are limited. Node's own modules are listed by their prefix. */
const mayUsePackages: Record<string, readonly string[]> = {
  suites: [],
  scenarios: [],
  reference: ['node:', 'ws', 'yaml'],
};

/** Layers that load an optional peer when it is needed. Elsewhere only its types may be imported. */
const optionalPeersIn: Record<string, string> = { containers: 'testcontainers' };

/** Files that only a peer itself loads. */
const loadedBy: Record<string, RegExp> = { vitest: /^harness\/features\/library\/vitest\// };

/** Layers that users do not get: what only they use need not be installed with Touchstone. */
const notShipped = ['lab'];

/**
 * Layers that tests may import in addition to those of their own layer: a real gateway to speak to. Not so
 * the reference's own tests.
 */
const testsMayImport = ['reference', 'proof', 'index', 'cli', 'library'];

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** `types` leaves nothing in the compiled file; `later` is an `import('…')`, which may fail alone. */
  readonly how: 'types' | 'at once' | 'later';
  /** Path from the package root; null for a package. */
  readonly to: string | null;
}

/**
 * Statements stand at the beginning of a line (the formatter sees to it), which keeps what only looks
 * like one, in a comment or a string, out. An `import('…')` may stand anywhere, as a type too.
 */
const specifierForms = [
  { how: 'types', form: /^(?:import|export)\s+type\b[^;'"]*?\bfrom\s+['"]([^'"\n]+)['"]/gm },
  {
    how: 'at once',
    form: /^(?:import|export)\b(?!\s+type\b)[^;'"]*?\bfrom\s+['"]([^'"\n]+)['"]/gm,
  },
  { how: 'at once', form: /^import\s+['"]([^'"\n]+)['"]/gm },
  { how: 'types', form: /\btypeof import\(\s*['"]([^'"\n]+)['"]/g },
  {
    how: 'later',
    form: /(?<!typeof )\b(?:import|require|mock|importActual)\(\s*['"]([^'"\n]+)['"]/g,
  },
] as const;

function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, source]) =>
    specifierForms
      .flatMap(({ how, form }) =>
        [...source.matchAll(form)].map(([, specifier = '']) => ({ how, specifier })),
      )
      .map(({ how, specifier }) => ({ from, specifier, how, to: resolved(from, specifier) })),
  );
}

function resolved(from: string, specifier: string): string | null {
  if (specifier === 'gateway-touchstone') return 'harness/features/library/library.ts';
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

/** The layer of a path from the package root; null outside of all layers (fixtures, package.json). */
function layerOf(path: string): string | null {
  const [top, second = ''] = path.split('/');
  if (top === 'suites') {
    if (second === 'client') return 'suites of clients';
    if (second === 'provider') return 'suites of both sides';
    return second === 'scenarios' ? 'scenarios' : 'suites';
  }
  if (top !== 'harness') return null;
  if (/^harness\/(main|features|judging-worker)\.ts$/.test(path)) return 'main';
  return roomOf(path)?.split('/').at(-1) ?? 'index';
}

/** The suite that a path lies in; null elsewhere. */
function suiteOf(path: string): string | null {
  return layerOf(path) === 'suites' ? (path.split('/')[1] ?? null) : null;
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
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Every import that breaks the table, as a sentence. */
function brokenImports(sources: Sources, manifest: Manifest): string[] {
  const { dependencies, devDependencies, peerDependencies = {} } = manifest;
  return importsOf(sources).flatMap(({ from, specifier, how, to }) => {
    const layer = layerOf(from);
    const says = `${from} imports ${specifier}`;
    // Tests beside the index look at the whole house, this one among them.
    if (layer === null || (layer === 'index' && isTest(from))) return [];
    if (to === null) {
      const name = packageOf(specifier);
      const packages = mayUsePackages[layer];
      if (isTest(from)) return [];
      if (packages && !packages.includes(name)) {
        return [`${says}: ${layer} may use ${packages.join(', ') || 'no package'}`];
      }
      if (name in peerDependencies) {
        if (how === 'types' || (how === 'later' && optionalPeersIn[layer] === name)) return [];
        if (loadedBy[name]?.test(from) || notShipped.includes(layer)) return [];
        return [`${says}: users may lack it; only import() in the layer that needs it loads it`];
      }
      const mayBe = notShipped.includes(layer)
        ? { ...dependencies, ...devDependencies }
        : dependencies;
      if (name !== 'node:' && !(name in mayBe)) {
        return [`${says}: not among the dependencies that users install`];
      }
      return [];
    }
    const other = layerOf(to);
    if (other === layer && suiteOf(from) === suiteOf(to)) return [];
    if (other === layer)
      return [`${says}: a suite may not import another; what both need is a scenario`];
    if (other === null) {
      const data = to.startsWith('fixtures/') || to === 'package.json';
      return data ? [] : [`${says}: outside of every layer`];
    }
    const allowed = layers[layer]?.mayImport;
    if (!allowed)
      return [
        `${from} is in no known layer: add ${layer} to harness/lab/docs/layers.ts, or move the file`,
      ];
    if (allowed.includes(other)) return [];
    if (isTest(from) && layer !== 'reference' && testsMayImport.includes(other)) return [];
    return [`${says}: ${layer} may import ${allowed.join(', ') || 'no other layer'}`];
  });
}

/** Layers that import each other, however long the way round: `a → b → a`. */
function cyclesBetweenLayers(sources: Sources): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of importsOf(sources)) {
    const [layer, other] = [layerOf(from), to === null ? null : layerOf(to)];
    if (layer === null || other === null || layer === other || isTest(from)) continue;
    graph.set(layer, (graph.get(layer) ?? new Set()).add(other));
  }
  const cycles = new Set<string>();
  const walk = (path: readonly string[]): void => {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      const start = path.indexOf(next);
      if (start === -1) walk([...path, next]);
      // One way round has as many beginnings as layers: keep that of the first name.
      else if (next === path.slice(start).sort()[0])
        cycles.add([...path.slice(start), next].join(' → '));
    }
  };
  for (const layer of graph.keys()) walk([layer]);
  return [...cycles];
}

describe('the project', () => {
  const sources = sourcesOf('harness', 'suites');
  const manifest: Manifest = {
    ...JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')),
    dependencies: Object.fromEntries(bundledPackages.map((name) => [name, ''])),
  };

  test('is read: the imports of every layer are seen', () => {
    // Guards the reading itself: a pattern that matches nothing would keep all rules below.
    const imports = importsOf(sources);
    expect(imports.length).toBeGreaterThan(sources.size);
    const missing = imports.filter(({ to }) => to?.endsWith('.ts') && !sources.has(to));
    expect(missing).toEqual([]);
  });

  test('keeps to the table of layers', () => {
    expect(brokenImports(sources, manifest)).toEqual([]);
  });

  test('has no cycles between layers', () => {
    expect(cyclesBetweenLayers(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const manifest: Manifest = {
    dependencies: { undici: '7', ws: '8', yaml: '2' },
    devDependencies: { openai: '6', 'markdown-table': '3' },
    peerDependencies: { testcontainers: '11', vitest: '4' },
  };
  const broken = (path: string, source: string): string[] =>
    brokenImports(new Map([[path, source]]), manifest);

  test.each([
    ['harness/kernel/wire/a.ts', `import { b } from '../protocols/b.ts';`],
    ['harness/kernel/wire/a.ts', `import type { b } from '../judge/verdict.ts';`],
    ['suites/access/a.ts', `import { b } from '../storage/b.ts';`],
    ['suites/scenarios/a.ts', `import { b } from '../storage/b.ts';`],
    ['harness/kernel/wire/a.ts', `import {\n  type B,\n  c,\n} from '../judge/b.ts';`],
    ['harness/kernel/wire/a.ts', `import b, * as c from "../engine/b.ts";`],
    ['harness/kernel/wire/a.test.ts', `import { b } from '../targets/b.ts';`],
    ['harness/kernel/core/a.ts', `export * from '../wire/exchange.ts';`],
    ['harness/kernel/core/a.ts', `export type { B } from '../report/b.ts';`],
    ['harness/kernel/report/a.ts', `import '../engine/b.ts';`],
    ['harness/kernel/report/a.ts', `const b = await import('../cli/b.ts');`],
    ['harness/kernel/report/a.ts', `type B = import('../engine/b.ts').B;`],
    ['harness/reference/chat/a.ts', `import { b } from '../../kernel/core/protocol.ts';`],
    ['harness/reference/a.test.ts', `import { b } from '../kernel/protocols/b.ts';`],
    ['harness/reference/a.ts', `import { request } from 'undici';`],
    ['harness/kernel/cli/a.ts', `import '../../../suites/storage/responses.check.ts';`],
    ['harness/kernel/cli/a.ts', `import OpenAI from 'openai';`],
    ['harness/index.ts', `export { run } from './kernel/cli/run.ts';`],
    ['harness/features/library/library.ts', `export { x } from '../../lab/x.ts';`],
    ['suites/a/b.check.ts', `import { run } from 'gateway-touchstone';`],
    ['harness/lab/docs/a.ts', `import _ from 'lodash';`],
    ['harness/features/containers/a.ts', `import { Wait } from 'testcontainers';`],
    ['harness/features/library/vitest.ts', `import { test } from 'vitest';`],
    ['harness/kernel/engine/a.ts', `import { test } from 'vitest';`],
    ['harness/kernel/cli/a.ts', `const { Wait } = await import('testcontainers');`],
    ['harness/attic/a.ts', `import { b } from '../kernel/core/b.ts';`],
    ['harness/kernel/core/a.ts', `import { b } from '../../../vitest.config.ts';`],
    [
      'suites/storage/a.check.ts',
      `import { b } from '../../harness/kernel/protocols/responses.ts';`,
    ],
    ['suites/storage/a.check.ts', `import { b } from '../../harness/features/sessions/index.ts';`],
    ['suites/storage/a.check.ts', `import { expect } from 'vitest';`],
    ['suites/storage/a.check.ts', `import { readFileSync } from 'node:fs';`],
  ])('%s: %s', (path, source) => {
    expect(broken(path, source)).toEqual([expect.stringContaining(path)]);
  });

  test.each([
    [
      'harness/kernel/protocols/a.ts',
      `import { b } from '../wire/b.ts';\nimport { c } from './c.ts';`,
    ],
    ['harness/kernel/protocols/a.test.ts', `import { b } from '../../reference/index.ts';`],
    ['harness/reference/a.test.ts', `import OpenAI from 'openai';\nimport { b } from 'vitest';`],
    ['harness/reference/a.ts', `import { parse } from 'yaml';\nimport { b } from 'node:http';`],
    ['suites/a/b.check.ts', `import { check } from '../../harness/index.ts';`],
    ['suites/a/b.check.ts', `import { check } from '../../harness/index.ts';\nimport './c.ts';`],
    [
      'harness/features/library/library.ts',
      `export { renderJson } from '../../kernel/report/json.ts';`,
    ],
    ['harness/lab/docs/a.ts', `import { markdownTable } from 'markdown-table';`],
    ['harness/features/containers/a.ts', `const { Wait } = await import('testcontainers');`],
    ['harness/features/library/vitest/a.ts', `import { test } from 'vitest';`],
    ['harness/features/containers/a.ts', `import type { Started } from 'testcontainers';`],
    ['harness/kernel/cli/a.ts', `type All = typeof import('testcontainers');`],
    [
      'harness/kernel/core/a.ts',
      `// import { b } from '../wire/b.ts';\nexport const c = "from '../commands/c.ts'";`,
    ],
  ])('and what is allowed is not: %s: %s', (path, source) => {
    expect(broken(path, source)).toEqual([]);
  });

  test('a cycle, once, by its shortest name', () => {
    const cycle = new Map([
      ['harness/kernel/core/a.ts', `import { b } from '../report/b.ts';`],
      ['harness/kernel/report/b.ts', `import { c } from '../judge/c.ts';`],
      ['harness/kernel/judge/c.ts', `import { a } from '../core/a.ts';`],
      ['harness/kernel/cli/d.ts', `import { a } from '../core/a.ts';`],
    ]);
    expect(cyclesBetweenLayers(cycle)).toEqual(['core → report → judge → core']);
  });
});
