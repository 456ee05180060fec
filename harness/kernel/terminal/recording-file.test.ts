import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { recordingFile } from './recording-file.ts';

test('many temporary recordings at a time are no leak of listeners, and each is removed', () => {
  const before = process.listenerCount('exit');
  const files = Array.from({ length: 12 }, () => recordingFile(undefined, true));
  expect(process.listenerCount('exit')).toBe(before);
  const folders = files.map(({ path }) => dirname(path ?? ''));
  expect(folders.filter(existsSync)).toHaveLength(12);
  for (const file of files) file.release();
  expect(folders.filter(existsSync)).toEqual([]);
});
