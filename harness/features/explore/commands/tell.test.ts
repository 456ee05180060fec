import { expect, test } from 'vitest';
import { referenceTarget } from '../../../kernel/targets/reference.ts';
import { dimmed } from '../../../kernel/terminal/progress-block.ts';
import { memoryTerminal } from '../../../kernel/terminal/testing-terminal.ts';
import { nothingExplored } from '../finds.ts';
import { deliverExploration } from './deliver.ts';
import { soFarInWords } from './progress-words.ts';
import { told } from './tell.ts';

test('nothing was found only where a history was decided in every act', async () => {
  const { target, close } = await referenceTarget();
  await close();
  const how = { target, startedAt: '', durationMs: 0 };
  const explored = { ...nothingExplored(1), histories: 2, acts: 20, unknown: 2 };
  const verdict = (decided: number, incomplete: string | null) =>
    told({ ...explored, decided }, { ...how, incomplete }).verdict;
  expect(verdict(1, null)).toBe('nothing-found');
  expect(verdict(0, null)).toBe('undecided');
  expect(verdict(2, 'it was interrupted')).toBe('undecided');
});

test('what is read by no terminal has no colours, and the exit code is that of the verdict', async () => {
  const { target, close } = await referenceTarget();
  await close();
  const how = { target, startedAt: '', durationMs: 0 };
  const explored = { ...nothingExplored(1), histories: 2, decided: 2 };
  const terminal = memoryTerminal();
  const codes = [null, 'it was interrupted'].map((incomplete) =>
    deliverExploration(explored, { ...how, incomplete }, {}, terminal, { colour: true }),
  );
  expect(codes).toEqual([0, 2]);
  expect(terminal.written.out).toMatch(/^Nothing was found\. Of such histories at most 78 % show/m);
  expect(terminal.written.out).not.toContain(String.fromCharCode(27));
});

test('a narrow terminal shows what matters most, and no half of it', () => {
  const soFar = {
    ...{ histories: 14, acts: 332, finds: 2, generations: 94, requests: 442 },
    ...{ inFlight: 4, heldBy: null },
  };
  const bounds = { generations: 120, requests: 5_000, minutes: 1 };
  const line = soFarInWords(soFar, bounds, 2_000);
  expect(line).toMatch(/^14 histories · 2 found · .* · 332 acts · 4 in flight$/);
  expect(dimmed(line, { columns: 80, colour: false })).toBe(
    '14 histories · 2 found · 94 of 120 generations · 442 of 5000 requests',
  );
});
