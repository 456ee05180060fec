import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { touchstone } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-empty-'));

test('a certificate that cannot be leaves no empty folder', async () => {
  const out = join(folder, 'certificate');
  const terminal = memoryTerminal({ TOUCHSTONE_KEY: 'a-key-of-nobody' });
  const line = ['certify', '--out', out, '--base-url', 'http://127.0.0.1:9', '--model', 'm'];
  expect(await touchstone(line, terminal)).toBe(2);
  expect(terminal.written.err).toContain('Not certifiable');
  expect(existsSync(out)).toBe(false);
});

test('of an empty folder verify says one sentence', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const terminal = memoryTerminal();
  expect(await touchstone(['verify', empty], terminal)).toBe(3);
  expect(terminal.written).toEqual({
    out: '',
    err: `${empty} is empty: \`certify\` wrote nothing there. It says why it did not.\n`,
  });
});
