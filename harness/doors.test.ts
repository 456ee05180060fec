import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';
import { isTest, roomOf, type Sources, sourcesOf } from './testing.ts';

/**
 * Files that other rooms still enter, although they are no `index.ts`. The list may only get shorter: give the
 * room's index the name that is needed, and import it from there.
 */
const exceptions = readFileSync(join(packageRoot, 'harness/doors.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Longest list that is allowed; lower it with each file that leaves. */
const mostExceptions = 36;

/** Files of the suites that a check file imports, directly or through others, on average. */
const mostPulledIn = 10;

/** Names in the index of a room, at most: what a maintainer has to know of it from outside. */
const mostNames: Readonly<Record<string, number>> = {
  harness: 98,
  'harness/features/certificate': 32,
  'harness/features/client': 14,
  'harness/kernel/core': 239,
  'harness/kernel/drawn': 10,
  'harness/kernel/engine': 69,
  'harness/features/explore': 23,
  'harness/kernel/judge': 35,
  'harness/kernel/model': 27,
  'harness/features/onboarding': 26,
  'harness/features/sessions': 32,
  'harness/kernel/protocols': 120,
  'harness/kernel/report': 111,
  'harness/proof': 19,
  'harness/reference': 86,
  'harness/kernel/recordings': 15,
  'harness/kernel/targets': 56,
  'harness/kernel/terminal': 39,
  'harness/kernel/wire': 87,
};

/** Every import of the source code, by path from the package root: statements, and `import('…')` in code. */
function importsOf(sources: Sources): readonly { readonly from: string; readonly to: string }[] {
  const forms =
    /^(?:import|export)\b[^;'"]*?\bfrom\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;
  return [...sources].flatMap(([from, source]) =>
    [...source.matchAll(forms)].map(([, named, bare, later]) => ({
      from,
      to: posix.join(posix.dirname(from), named ?? bare ?? later ?? ''),
    })),
  );
}

/** Files of a room, other than its index, that another room imports; sorted. */
function enteredFiles(sources: Sources): string[] {
  const entered = importsOf(sources)
    .filter(({ from, to }) => !isTest(from) && roomOf(to) !== null && roomOf(to) !== roomOf(from))
    // Registration reads nothing but the description of a feature.
    .filter(({ from, to }) => from !== 'harness/features.ts' || !to.endsWith('/feature.ts'))
    .map(({ to }) => to)
    .filter((path) => path !== `${roomOf(path)}/index.ts`);
  return [...new Set(entered)].sort();
}

test('a room is entered through its index alone, but for listed exceptions', () => {
  expect(enteredFiles(sourcesOf('harness', 'suites'))).toEqual(exceptions);
});

test('the engine enters what is sent again through its index alone', () => {
  const room = 'harness/kernel/engine/again';
  const entered = importsOf(sourcesOf(room.replace('/again', ''))).filter(
    ({ from, to }) => to.startsWith(room) && !from.startsWith(room) && !isTest(from),
  );
  expect(new Set(entered.map(({ to }) => to))).toEqual(new Set([`${room}/index.ts`]));
});

test('a check file pulls in ten files of the suites at most, on average', () => {
  const sources = sourcesOf('suites');
  const imported = new Map<string, string[]>();
  for (const { from, to } of importsOf(sources)) {
    if (sources.has(to)) imported.set(from, [...(imported.get(from) ?? []), to]);
  }
  const checks = [...sources.keys()].filter((path) => path.endsWith('.check.ts'));
  const pulledIn = checks.map((path) => {
    const reached = new Set([path]);
    for (const file of reached) for (const next of imported.get(file) ?? []) reached.add(next);
    return reached.size - 1;
  });
  const sum = pulledIn.reduce((before, count) => before + count, 0);
  expect(sum / checks.length).toBeLessThanOrEqual(mostPulledIn);
});

test('the list of exceptions only gets shorter', () => {
  expect(exceptions.length).toBeLessThanOrEqual(mostExceptions);
});

test.each(Object.entries(mostNames))('the index of %s names %i things at most', (room, most) => {
  const index = readFileSync(join(packageRoot, room, 'index.ts'), 'utf8');
  const names = [...index.matchAll(/^export (?:type )?(?:\{([^}]*)\}|const \w)/gm)].flatMap(
    ([whole, list = whole]) => list.split(',').filter((name) => name.trim() !== ''),
  );
  expect(names.length).toBeLessThanOrEqual(most);
});

test('an import past the index is noticed, however it is written', () => {
  const sources = new Map([
    [
      'harness/a/one.ts',
      "import { x } from '../b/index.ts';\nimport type { Y } from '../b/y.ts';\n",
    ],
    ['harness/a/two.ts', "const later = () => import('../b/later.ts');\n"],
    ['harness/a/three.ts', "import '../b/effect.ts';\nimport { own } from './one.ts';\n"],
    ['harness/a/three.test.ts', "import { z } from '../b/tested.ts';\n"],
    ['harness/c/four.ts', "export { w } from '../b/given-on.ts';\n"],
  ]);
  expect(enteredFiles(sources)).toEqual([
    'harness/b/effect.ts',
    'harness/b/given-on.ts',
    'harness/b/later.ts',
    'harness/b/y.ts',
  ]);
});
