import {
  existsSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import { FileInUse, holdFile, lockOf } from '../../recordings/held-file.ts';
import { Recorder } from '../../recordings/recorder.ts';
import { answered } from '../testing.ts';

const folder = realpathSync(temporaryFolder());
/** No process has this number: Linux counts to four million, and others not so far. */
const nobody = 2 ** 30;

test('what had ended is in the file at once, and the file is kept for this process meanwhile', () => {
  const file = join(folder, 'run.jsonl');
  writeFileSync(file, 'of an earlier run', { mode: 0o640 });
  const recorder = new Recorder(file, 'header');
  recorder.add('a target', answered('{}'));
  expect(readFileSync(file, 'utf8')).toMatch(/^header\n\{.*\}\n$/);
  expect(readFileSync(lockOf(file), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  expect(dirname(lockOf(file))).toBe(folder);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  recorder.close();
  expect(recorder.problem).toBeNull();
  expect(existsSync(lockOf(file))).toBe(false);
});

test('two runs never mix a recording: the one that lost its file says so', () => {
  const file = join(folder, 'both.jsonl');
  const [first, second] = [new Recorder(file, 'first'), new Recorder(file, 'second')];
  first.add('a target', answered('{}'));
  second.close();
  first.close();
  expect(readFileSync(file, 'utf8')).toBe('second\n');
  expect(second.problem).toBeNull();
  expect(first.problem).toContain('replaced');
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told, and breaks nothing off', () => {
  const recorder = new Recorder('/dev/full', 'header');
  recorder.add('a target', answered('{}'));
  recorder.close();
  expect(recorder.problem).toContain('ENOSPC');
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
});

test('a file that another process writes is refused; one that a killed process left is taken', () => {
  const file = join(folder, 'held.json');
  holdFile(file)();
  const own = new Recorder(file);
  const [, place] = readFileSync(lockOf(file), 'utf8').match(/^\d+ (.+)$/) ?? [];
  own.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(lockOf(file), `${process.ppid} ${place}`);
  expect(() => holdFile(file)).toThrow(FileInUse);
  expect(() => holdFile(join(folder, '.', 'held.json'))).toThrow(`process ${process.ppid}`);
  // Processes of another machine or container cannot be seen: the time tells whether one lives.
  writeFileSync(lockOf(file), `${nobody} elsewhere`);
  expect(() => holdFile(file)).toThrow('elsewhere');
  for (const left of [`${nobody} ${place}`, `${nobody} elsewhere`, 'nonsense', '']) {
    writeFileSync(lockOf(file), left);
    utimesSync(lockOf(file), 1, 1);
    holdFile(file)();
    expect(existsSync(lockOf(file))).toBe(false);
  }
});
