import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../../core/package-root.ts';
import { Changes } from './watch-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
const at = (name: string): string => join(folder, name);
mkdirSync(at('src'));
writeFileSync(at('server'), '');

const changes = (): Changes =>
  new Changes(
    { knownFailures: at('known.txt'), json: at('src/report.json') },
    [at('src'), at('server')],
    at('dev.yaml'),
  );

test.each([
  [at('dev.yaml'), 'all'],
  [fixture('requirements', 'rules.yaml'), 'all'],
  [at('src/app.ts'), 'open'],
  [at('server'), 'open'],
  [at('known.txt'), 'verdict'],
])('a change of %s asks for what it may have changed: %s', (path, scope) => {
  expect(changes().of(path, false)?.scope).toBe(scope);
});

test('what is named is watched, and what the command writes is not', () => {
  const { files, folders, except } = changes().watched;
  expect(files).toEqual([at('dev.yaml'), at('known.txt'), at('server')]);
  expect(folders).toContain(at('src'));
  expect(except).toEqual([at('src/report.json')]);
});

test('a file that changes during three runs in a row is written by them, and left alone', () => {
  const seen = changes();
  const run = (...names: string[]): readonly string[] => {
    for (const name of names) seen.of(at(name), true);
    return seen.mute();
  };
  expect(run('src/state', 'src/app.ts')).toEqual([]);
  expect(run('src/state')).toEqual([]);
  expect(run('src/state', 'src/app.ts')).toHaveLength(1);
  expect(seen.of(at('src/state'), true)).toBe(null);
  expect(seen.of(at('src/app.ts'), true)?.scope).toBe('open');
});

test('a file that changes between runs never is', () => {
  const seen = changes();
  for (const _ of [1, 2, 3, 4]) {
    expect(seen.of(at('src/app.ts'), false)?.scope).toBe('open');
    expect(seen.mute()).toEqual([]);
  }
});
