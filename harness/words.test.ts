import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';

/**
 * Words that the field does not use, or uses for something else, with the word to use: in identifiers,
 * comments, messages and pages alike. The glossary is in harness/glossary.md.
 */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/mishap/i, 'transient failure'],
  [/bystander/i, 'what else fails'],
  [/\bfor nothing\b/i, 'free of charge, without a generation'],
  [/\btold apart\b/i, 'distinguished'],
  [/perishable/i, 'expires, defer'],
  [/wordless/i, 'without text'],
  [/\bsuffer(s|ed)?\b/i, 'transient failure'],
  [/\bheld against\b/i, 'compared with; false positive'],
  [/\b(broken|breaks?|broke) off\b/i, 'interrupted, cut, truncated'],
  [/\bour own fault\b/i, 'internal error'],
  [/\bside.?doors?\b/i, 'indirect access'],
  [/\bbefall/i, 'hit'],
  [/\b(kept back|keptBack)\b/, 'deferred'],
  [/\bhangs on\b/i, 'depends on'],
  [/in.?vain\b|\bvain/i, 'unanswered; without need; stale'],
  [/\bbeginnings? of (an |no )?ids?\b/i, 'id prefix'],
  [/\bsteady\b|steadiness/i, 'deterministic'],
  [/\botherwise-(made|asked)\b/, 'creation mode'],
];

/** Recorded texts, the frozen ids, and this list itself. */
const leftOut = /__snapshots__|\/samples\/|harness\/words\.test\.ts$/;

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'action.yml', 'package.json'],
  ...['harness', 'suites', 'fixtures'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => /\.(ts|mjs|css|md|ya?ml|json)$/.test(path) && !leftOut.test(path));

/** `path:line: "word": say …` for every word that is found. */
function wordsIn(path: string, text: string): string[] {
  return text
    .replaceAll(/^```text\n[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, index) =>
      words.flatMap(([form, say]) => {
        const [found] = form.exec(line) ?? [];
        return found === undefined ? [] : [`${path}:${index + 1}: "${found}": say ${say}`];
      }),
    );
}

describe('the words of the field stand', () => {
  test('in code, messages and pages', () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((path) =>
      wordsIn(path, readFileSync(join(packageRoot, path), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});

test.each([
  ['// This mends what broke off.', ['"mends": say fix', '"broke off": say interrupted']],
  ["test('is held against nobody', …", ['"held against": say compared']],
  ['const mishapsOf = bystanders;', ['"mishap": say transient failure', '"bystander": say']],
  ['I recommend that it must be amended.', []],
])('%s', (line, expected) => {
  expect(wordsIn('a.ts', `\n${line}\n`)).toEqual(
    expected.map((words) => expect.stringContaining(`a.ts:2: ${words}`)),
  );
});
