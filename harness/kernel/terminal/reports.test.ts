import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { writeText } from '../redaction/index.ts';
import { deliverReports } from './deliver.ts';
import { Unwritten } from './failure.ts';
import { writeReports } from './reports.ts';
import { memoryTerminal } from './testing-terminal.ts';

const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder, name);
const result = sampleRun(sampleChecks);
const broken = () => Promise.reject(new Error('no exchanges'));

test('a report that cannot be written keeps no other from it, and is named', async () => {
  mkdirSync(inFolder('gone'));
  const files = {
    html: inFolder('a.html'),
    json: inFolder('gone/a.json'),
    badge: inFolder('b.svg'),
  };
  rmSync(inFolder('gone'), { recursive: true });
  const { written, problems } = await writeReports(result, files, broken);
  expect(written).toEqual({ badge: files.badge });
  expect(problems).toEqual([
    `--html ${files.html} was not written: no exchanges`,
    expect.stringContaining(`--json ${files.json} was not written: ENOENT`),
  ]);
  const terminal = memoryTerminal({});
  const delivery = { quiet: false, unrecorded: 'the recording is cut' };
  const delivered = deliverReports(result, { badge: files.badge }, broken, terminal, delivery);
  await expect(delivered).rejects.toThrow(Unwritten);
  expect(terminal.written.out).toBe(`Written: ${files.badge}\n`);
});

test('a file is there as a whole or not at all, and stays what it was', () => {
  const [file, link] = [inFolder('whole.json'), inFolder('link.json')];
  writeFileSync(file, 'old', { mode: 0o640 });
  symlinkSync(file, link);
  writeText(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  writeText(inFolder('private.json'), 'new');
  expect(statSync(inFolder('private.json')).mode & 0o777).toBe(0o600);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  if (!existsSync('/dev/full')) return;
  expect(() => writeText('/dev/full', 'new')).toThrow('ENOSPC');
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
});
