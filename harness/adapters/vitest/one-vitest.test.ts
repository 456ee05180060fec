import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { assertOneVitest } from './one-vitest.ts';

const ours = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));

test('the Vitest that the checks import may run them', () => {
  assertOneVitest({ version: '4.1.12', distPath: join(ours, 'dist') });
});

test('another one ends before any check is run, and is told what to install', () => {
  const distPath = mkdtempSync(join(tmpdir(), 'vitest-'));
  const start = () => assertOneVitest({ version: '3.2.4', distPath });
  expect(start).toThrow(ours);
  expect(start).toThrow('what runs is Vitest 3.2.4');
  expect(start).toThrow(/Install vitest@\d+\.\d+\.\d+ in your project/);
});
