import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { budgets, inTime, openForeign, readForeign } from './foreign-file.ts';
import { parseForeign } from './json-size.ts';
import { whyOtherwise } from './json-spelling.ts';

const file = join(temporaryFolder(), 'file');

test.each([
  ['longer than its limit', 'x'.repeat(budgets.small.bytes + 1), /more than 1048576 bytes/],
  ['compressed', Buffer.from('1f8b0800', 'hex'), /compressed with gzip: unpack it/],
  ['in UTF-16', Buffer.from('\uFEFFname: x', 'utf16le'), /UTF-16: save it as UTF-8/],
  ['in no coding', Buffer.from([0x61, 0xff]), /not written in UTF-8/],
  ['no text', 'a\0', /a NUL character, at byte 2/],
])('a file that is %s is refused', (_, content, message) => {
  writeFileSync(file, content);
  expect(() => readForeign(file, budgets.small)).toThrow(message);
});

const pipe = `${file}.pipe`;
execFileSync('mkfifo', [pipe]);

test.each(['/dev/zero', pipe])('%s is refused at once', (path) => {
  expect(() => readForeign(path, budgets.small)).toThrow(/no regular file/);
});

test('a pipe that a shell hands over is read once, and for some time', () => {
  const read = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(pipe, 'w');
  writeSync(write, 'name: x');
  const handed = { path: `/dev/fd/${read}`, once: { ...budgets.small, pipeMs: 50 } };
  expect(() => openForeign(handed.path)).toThrow(/no regular file/);
  expect(() => readForeign(handed.path, handed.once)).toThrow(/a pipe that does not end/);
  writeSync(write, 'name: y');
  closeSync(write);
  expect(readForeign(handed.path, handed.once)).toBe('name: y');
  closeSync(read);
});

test.each([
  ['depth', `${'['.repeat(501)}${']'.repeat(501)}`, /nested deeper than 500/],
  ['members', `{${'"a":1,'.repeat(50_000)}"b":1}`, /more than 50000 lines, members and values/],
  ['a mark', '\uFEFF{}', /byte order mark: save it without/],
])('JSON with too much: %s', (_, text, message) => {
  expect(() => parseForeign(text, budgets.small)).toThrow(message);
});

test('work without end is ended', () => {
  const endless = (): never => {
    for (;;);
  };
  expect(() => inTime(endless, 50)).toThrow(/longer than 50 ms/);
});

test('of a JSON text it is said how it differs from the one that is expected', () => {
  expect(whyOtherwise('{"a":1}', '{"a":1}')).toBeNull();
  expect(whyOtherwise('{"a":{"b":1,"b":2}}', '{"a":{"b":2}}')).toBe(
    'the member "b" is there twice',
  );
  expect(whyOtherwise('{"a":[{"c":1}]}', '{"a":[{}]}')).toBe('Touchstone writes no member "a.0.c"');
});
