import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../core/package-root.ts';
import { readPage } from './pages.ts';
import { readmeRun, title, width, withoutTheMoment } from './readme-run.ts';
import { drawTerminal } from './terminal-picture.ts';

const recorded = join(import.meta.dirname, 'readme-run.ansi');
const picture = fixture('pictures', 'run.svg');

// `npm run docs` runs this with --update, which records the run anew, and draws it.
test('the README shows what a run prints; `npm run docs` renews the picture', {
  timeout: 120_000,
}, async () => {
  const kept = readFileSync(recorded, 'utf8');
  const now = await readmeRun();
  // What is of the moment only is no reason for another picture.
  const shown = withoutTheMoment(now) === withoutTheMoment(kept) ? kept : now;
  await expect(shown).toMatchFileSnapshot(recorded);
  await expect(drawTerminal(shown, { title, width })).toMatchFileSnapshot(picture);
});

test('the README says about what a run costs', () => {
  const [, said] = /about (\d+) short generations/.exec(readPage('README.md')) ?? [];
  const text = withoutTheMoment(readFileSync(recorded, 'utf8'));
  const counts = [...text.matchAll(/(\d+) generations in/g)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(2);
  for (const count of counts) expect(Math.abs(count / Number(said) - 1)).toBeLessThan(0.05);
});
