import { expect, test } from 'vitest';
import { isTest, type Sources, sourcesOf } from './testing.ts';

const codec = 'harness/kernel/core/exchange-id.ts';

/** Methods that take a text apart, or look for a part of it. */
const methods =
  'startsWith|endsWith|indexOf|lastIndexOf|includes|split|slice|substring|at|match|matchAll|replace|replaceAll|search';

/** Texts of ids: what the codec writes, and the members of reports that hold it. */
const idText =
  '(?:formatId|formatSender|firstAttemptOf)\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)|\\b(?:evidence|finding|verdict|lag|request|wrong)\\??\\.exchange|\\b(?:exchangeKey|exchangeText|idText)';

const readings: readonly RegExp[] = [
  // A method of the text of an id.
  new RegExp(`(?:${idText})\\??\\.(?:${methods})\\(`),
  // A regular expression that is asked about such a text.
  new RegExp(`\\.(?:test|exec)\\((?:${idText})\\)`),
  // A marker of the grammar that is looked for in a text.
  new RegExp(
    `\\.(?:${methods})\\((?:'(?:#main/?\\d*|~|-again|\\+(?:lag|lockout|put-off|connection)[^']*|(?:sentinel|load|asked-again|observed)/?)'|\`#\\$)`,
  ),
  // A search for the sign between a scenario and its lane; a line that begins with it may be a comment.
  /\.(?:split|indexOf|lastIndexOf|includes|endsWith|replaceAll|replace)\('#'/,
  // A text of the grammar that is put together by hand.
  /`[^`\n]*\}#(?:main|\$\{[^}]*\})\/[^`\n]*`/,
  /`[^`\n]*#main\/(?:\d|\$\{)[^`\n]*`|'[^'\n]*#main\/\d[^'\n]*'/,
];

/** Lines of shipped code outside the codec that read or write the text of an id, as `path: line`. */
function handmadeIds(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    path === codec || isTest(path)
      ? []
      : source
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => !/^(?:\*|\/\*|\/\/)/.test(line))
          .filter((line) => readings.some((reading) => reading.test(line)))
          .map((line) => `${path}: ${line}`),
  );
}

test('only the codec reads and writes the texts of ids', () => {
  expect(handmadeIds(sourcesOf('harness', 'suites'))).toEqual([]);
});

test.each([
  "if (formatId(exchange.id).startsWith('load/')) return;",
  "const name = formatId(first(exchange).id).split('#')[0];",
  'return /^sentinel/.test(formatId(id));',
  "const scenario = evidence.exchange.slice(0, key.lastIndexOf('#'));",
  "const isPoll = key.includes('+lag');",
  "return key.endsWith('-again');",
  "const lane = text.replaceAll('#', '~');",
  'const key = `$' + '{scenario.name}#$' + '{lane}/0`;',
  "const ordinary = 'baseline/responses#main/0';",
])('a reading is noticed: %s', (line) => {
  expect(handmadeIds(new Map([['suites/a/b.check.ts', line]]))).toHaveLength(1);
});
