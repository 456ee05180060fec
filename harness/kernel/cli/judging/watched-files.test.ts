import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Watching, watchFiles } from './watched-files.ts';

let folder: string;
let seen: string[];
let watched: Watching;

/** Watches `target.yaml` and the folder `src`, in which the command itself writes `report.json`. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  mkdirSync(join(folder, 'src', 'deep', 'node_modules'), { recursive: true });
  write('target.yaml');
  seen = [];
  watched = await watchFiles(
    {
      files: [join(folder, 'target.yaml')],
      folders: [join(folder, 'src')],
      except: [join(folder, 'src', 'report.json')],
    },
    (path) => seen.push(path.slice(folder.length + 1)),
  );
  onTestFinished(() => watched.close());
});

function write(name: string): void {
  writeFileSync(join(folder, name), name);
}

/** Waits until a file was seen that is written after all others. */
async function isSeen(name: string): Promise<void> {
  await expect.poll(() => seen).toContain(name);
}

describe('a file is seen that', () => {
  test('is written', async () => {
    write('target.yaml');
    await isSeen('target.yaml');
  });

  test('an editor puts in the place of the old one, more than once', async () => {
    for (const _ of [1, 2]) {
      seen.length = 0;
      write('target.yaml~');
      renameSync(join(folder, 'target.yaml~'), join(folder, 'target.yaml'));
      await isSeen('target.yaml');
    }
  });

  test('is new, deep in a folder', async () => {
    write('src/deep/app.ts');
    await isSeen('src/deep/app.ts');
  });

  test('a build writes that empties its folder first', async () => {
    rmSync(join(folder, 'src'), { recursive: true });
    mkdirSync(join(folder, 'src'));
    write('src/app.js');
    await isSeen('src/app.js');
    await watched.renew();
    write('src/later.js');
    await isSeen('src/later.js');
  });
});

test('who reads a file whenever it was seen has read the last that was written', async () => {
  const file = join(folder, 'played.yaml');
  writeFileSync(file, '');
  let read = '';
  const watching = await watchFiles({ files: [file], folders: [], except: [] }, () => {
    read = readFileSync(file, 'utf8');
    // Each version is written as soon as the previous one was read.
    if (read !== '' && Number(read) < 20) writeFileSync(file, `${Number(read) + 1}`);
  });
  onTestFinished(() => watching.close());
  writeFileSync(file, '1');
  await expect.poll(() => read).toBe('20');
});

test('what changes while all is looked at anew is not missed, and what did before is not told twice', async () => {
  write('src/before.ts');
  await isSeen('src/before.ts');
  // Later than the times of files can be behind the clock.
  await expect
    .poll(() => Date.now() - statSync(join(folder, 'src/before.ts')).mtimeMs)
    .toBeGreaterThan(20);
  seen.length = 0;
  const renewed = watched.renew();
  write('src/meanwhile.ts');
  await renewed;
  write('src/after.ts');
  await isSeen('src/after.ts');
  expect(new Set(seen)).toEqual(new Set(['src/meanwhile.ts', 'src/after.ts']));
});

test('what is beside, hidden, a log, installed or our own is not', async () => {
  for (const name of [
    'other.yaml',
    'src/.cache',
    'src/gateway.log',
    'src/data.sqlite3-wal',
    'src/deep/node_modules/index.js',
    'src/report.json',
  ]) {
    write(name);
  }
  write('src/last.ts');
  await isSeen('src/last.ts');
  expect(new Set(seen)).toEqual(new Set(['src/last.ts']));
});
