import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';
import { isTest, roomOf, type Sources, sourcesOf } from './testing.ts';

/** Names that still stand for two things. The list may only get shorter: rename one, or use the other's. */
const exceptions = readFileSync(join(packageRoot, 'harness/doubled-names.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Longest list that is allowed; lower it with each name that leaves. */
const mostExceptions = 226;

const typeForm = /^(?:export )?(?:declare )?(?:interface|type|(?:abstract )?class) (\w+)/gm;
const functionForm = /^(?:export )?(?:async )?function\*? (\w+)/gm;

/** Names that two files declare, as `nameOf` writes them; sorted. */
function doubled(
  sources: Sources,
  form: RegExp,
  nameOf: (name: string, path: string) => string,
): string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    if (isTest(path)) continue;
    for (const [, declared = ''] of source.matchAll(form)) {
      const name = nameOf(declared, path);
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  return [...files].flatMap(([name, paths]) => (paths.size > 1 ? [name] : [])).sort();
}

function doubledNames(sources: Sources): string[] {
  return [
    ...doubled(sources, typeForm, (name) => name),
    ...doubled(sources, functionForm, (name, path) => `${roomOf(path)} ${name}`),
  ];
}

test('a type name has one meaning in the tree, a function name one in its room', () => {
  expect(doubledNames(sourcesOf('harness', 'suites'))).toEqual(exceptions);
});

test('the list of exceptions only gets shorter', () => {
  expect(exceptions.length).toBeLessThanOrEqual(mostExceptions);
});

test('a second meaning is noticed: of a type anywhere, of a function in one room', () => {
  const sources = new Map([
    ['harness/a/one.ts', 'interface Act {}\nexport function read() {}\n'],
    ['harness/a/two.ts', 'export async function read() {}\nfunction other() {}\n'],
    ['harness/b/three.ts', 'export type Act = string;\nfunction other() {}\n'],
    ['harness/b/three.test.ts', 'interface Tested {}\n'],
    ['harness/a/one.test.ts', 'interface Tested {}\n'],
  ]);
  expect(doubledNames(sources)).toEqual(['Act', 'harness/a read']);
});
