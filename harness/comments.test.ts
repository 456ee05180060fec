import { expect, test } from 'vitest';
import { type Sources, sourcesOf } from './testing.ts';

/** A comment that begins so ("What …", "Whether …", "The same, of …") has to be read twice. */
const pronounPhrase =
  /^(What|Whether|Who|Whom|Whose|How|Of|Those|The same|And|Or|Where|So|Which|That|Such|But|It|They|This|These|There)\b/;

/** Comments on lines of their own that begin with a pronoun phrase, as `path: text`. Directives of tools are left out. */
function unclearComments(sources: Sources): string[] {
  const form = /^[ \t]*(?:\/\*\*?\s*(?:\*\s*)?([\s\S]*?)\*\/|\/\/[ \t]*(.*(?:\n[ \t]*\/\/.*)*))/gm;
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(form)]
      .map(([, block, lines]) => (block ?? lines ?? '').trim())
      .filter((text) => pronounPhrase.test(text))
      .map((text) => `${path}: ${text}`),
  );
}

test('a comment names its subject', () => {
  const sources = sourcesOf('harness', 'suites', 'fixtures');
  expect(sources.size).toBeGreaterThan(1_000);
  expect(unclearComments(sources)).toEqual([]);
});

test.each([
  ['/** What a run sends. */', true],
  ['/**\n * Whether it is sent.\n */', true],
  ['// The same, of a stream.\n// Two lines.', true],
  ['/** Requests that a run sends. */', false],
  ['// biome-ignore lint: What else', false],
  ["const text = '// What is no comment';", false],
])('%j', (source, isFound) => {
  expect(unclearComments(new Map([['harness/a/b.ts', source]]))).toHaveLength(isFound ? 1 : 0);
});
