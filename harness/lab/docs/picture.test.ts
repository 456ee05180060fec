import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fixture } from '../../kernel/core/package-root.ts';
import { keepCounts } from './keep-counts.ts';
import { readPage } from './pages.ts';
import { isFresh, readmeRun, title, width } from './readme-run.ts';
import { drawTerminal } from './terminal-picture.ts';

const recorded = join(import.meta.dirname, 'readme-run.ansi');
const picture = fixture('pictures', 'run.svg');

let now: string;
beforeAll(async () => {
  now = await readmeRun();
}, 120_000);

// `npm run docs` runs this with --update, which records the run anew, and draws it.
test('the README shows what a run prints; `npm run docs` renews the picture', async () => {
  const kept = readFileSync(recorded, 'utf8');
  const shown = isFresh(kept, now, { keepCounts }) ? kept : now;
  await expect(shown).toMatchFileSnapshot(recorded);
  await expect(drawTerminal(shown, { title, width })).toMatchFileSnapshot(picture);
});

test('a run of more checks makes no other picture, unless it is renewed; other words do', () => {
  const more = now.replaceAll(/\d+(?= passed)/g, '1044');
  expect(more).not.toBe(now);
  expect(isFresh(now, more, { keepCounts: true })).toBe(true);
  expect(isFresh(now, more, { keepCounts: false })).toBe(false);
  expect(isFresh(now, now.replaceAll('passed', 'held'), { keepCounts: true })).toBe(false);
});

test('the README says about what a run costs', () => {
  const [, said] = /about (\d+) short generations/.exec(readPage('README.md')) ?? [];
  const counts = [...now.matchAll(/(\d+) generations in/g)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(2);
  for (const count of counts) expect(Math.abs(count / Number(said) - 1)).toBeLessThan(0.05);
});
