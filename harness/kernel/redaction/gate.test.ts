import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { keepIn, keptFrom, LeavingInPieces, leaving, writeText } from './gate.ts';

const key = 'sk-Gate/4+7=Zq"9v!T0xW';
keepIn([key, 'responses', 'short']);

test('what goes out shows no key, and where one would have been is known', () => {
  expect(leaving('nothing to see', 'standard output')).toBe('nothing to see');
  expect(keptFrom()).toEqual([]);
  expect(leaving(`a ${key} b`, 'standard output')).toBe(`a ${'*'.repeat(key.length)} b`);
  expect(leaving(`<b>${key.replace('"', '&quot;')}</b>`, 'report.html')).toMatch(/^<b>\*+<\/b>$/);
  expect(leaving(JSON.stringify([JSON.stringify({ key })]), 'report.json')).not.toContain('Gate');
  expect(keptFrom()).toEqual(['standard output', 'report.html', 'report.json']);
  expect(keptFrom()).toEqual([]);
});

test('a key that may be a word of ours is left: reports could not be read without it', () => {
  expect(leaving('responses are short', 'standard output')).toBe('responses are short');
});

test('a foreign key is masked over a line end, and the name of the next header is not', () => {
  const drawn = `${'a1B2'.repeat(8)}`;
  const after = (next: string) => leaving(`authorization: Bearer ${drawn}\n${next}`, 'page');
  expect(after('X-Client-Request-Id: 1')).toBe(
    `authorization: Bearer ${'*'.repeat(32)}\nX-Client-Request-Id: 1`,
  );
  expect(after('c3D4e5-Rest')).toBe(`authorization: Bearer ${'*'.repeat(32)}\n***********`);
});

test('files are written through it', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.txt');
  writeText(file, `one ${key}\ntwo ${encodeURIComponent(key)}\n`);
  expect(readFileSync(file, 'utf8')).toMatch(/^one \*+\ntwo \*+\n$/);
  expect(keptFrom()).toEqual([file]);
});

test('a key in two pieces is held back until the second comes', () => {
  for (let at = 1; at < key.length; at++) {
    const pieces = new LeavingInPieces('standard error');
    const written = [`before ${key.slice(0, at)}`, `${key.slice(at)} after\n`].map((piece) =>
      pieces.next(piece),
    );
    // Up to eight characters may be written before a secret is recognised.
    if (at >= 8) expect(written.join('')).toBe(`before ${'*'.repeat(key.length)} after\n`);
    expect(pieces.rest()).toBe('');
  }
  const pieces = new LeavingInPieces('standard error');
  expect(pieces.next('waits: sk-Gate/4+')).toBe('waits: ');
  expect(pieces.next('8 and on')).toBe('sk-Gate/4+8 and on');
  expect(pieces.next('sk-Gate/4+7')).toBe('');
  expect(pieces.rest()).toBe('sk-Gate/4+7');
  keptFrom();
});
