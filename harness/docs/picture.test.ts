import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../spec/package-root.ts';
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
