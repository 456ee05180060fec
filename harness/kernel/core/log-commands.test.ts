import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WithoutLogCommands, withoutLogCommands } from './log-commands.ts';

/** True if a pipeline would execute a command in a log. */
function isObeyed(log: string): boolean {
  return (
    // As GitHub reads it: a line without the white space before it.
    log.split(/\r\n|\r|\n/).some((line) => line.trimStart().startsWith('::')) ||
    /##(?:vso|teamcity)?\[|section_(?:start|end):/i.test(log)
  );
}

test.each([
  ['::error::broken', ':\\u003aerror::broken'],
  ['a\n \t::set-output name=a::b', 'a\n \t:\\u003aset-output name=a::b'],
  ['seen: ##[error]x', 'seen: ##\\u005berror]x'],
  ['##VSO[task.complete]', '##VSO\\u005btask.complete]'],
  ["##teamcity[buildStatus text='x']", "##teamcity\\u005bbuildStatus text='x']"],
  ['section_start:1:a', 'section_start\\u003a1:a'],
  ['http://[::1]:80 says a::b', 'http://[::1]:80 says a::b'],
])('what a pipeline would obey is broken where a reader sees it: %j', (text, safe) => {
  expect(isObeyed(text)).toBe(safe !== text);
  expect(withoutLogCommands(text)).toBe(safe);
});

test('JSON stays what it was', () => {
  const value = ['##[error]x', 'section_start:1:a', '##vso[task.complete]'];
  expect(JSON.parse(withoutLogCommands(JSON.stringify(value)))).toEqual(value);
});

test('in whatever pieces a log is written, it commands nothing', () => {
  const word = fc.constantFrom(
    ':',
    '::',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u00a0',
    '#',
    '##',
    '##v',
    'vso',
    '[',
    'teamcity',
    'section_',
    'start',
    'text',
    ':error::',
  );
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 8 })), (pieces) => {
      const log = new WithoutLogCommands();
      const written = pieces.map((piece) => log.next(piece.join(''))).join('');
      expect(isObeyed(written)).toBe(false);
      expect(
        written.replace(/\\u00(..)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
      ).toBe(pieces.flat().join(''));
    }),
    { numRuns: 500 },
  );
});
