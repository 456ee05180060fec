import { expect, test } from 'vitest';
import type { Fault } from '../../proof/faults/fault.ts';
import { loadFaults, rareFaults } from '../../proof/testing-at-times.ts';
import type { CheckResult, RunResult } from '../core/result.ts';
import type { Load } from '../engine/load/load.ts';
import { run } from '../engine/run.ts';
import { referenceTarget } from '../targets/reference.ts';
import { judgeRounds } from './judging/judge-rounds.ts';

/** The cheapest act that shows whether another user is denied. */
const cell = 'lookup/include for another user: made by one-body in eu';

/** Judges a faulty gateway by what it breaks. */
async function judged(
  fault: Fault,
  { rounds = 1, load }: { readonly rounds?: number; readonly load?: Load } = {},
): Promise<{ readonly result: RunResult; readonly check: CheckResult }> {
  const [id = ''] = fault.breaks;
  const { target, close } = await referenceTarget({ defect: fault });
  const one = { ...target, onlyCells: new Set([cell]) };
  try {
    const result = await judgeRounds(rounds, 1, {
      judge: (seed) => run({ target: one, seed, filters: [id], load }),
      onJudged: () => Promise.resolve(),
      isOver: () => false,
    });
    const check = result.checks.find((each) => each.id === id);
    if (check === undefined) throw new Error(`There is no ${id}.`);
    return { result, check };
  } finally {
    await close();
  }
}

const broken = ['fail', 'warn'];

test.each(rareFaults)('$id: no single run shows it, and rounds do, with a rate', async (fault) => {
  const alone = await judged(fault);
  expect(alone.check.verdict.state).toBe('pass');
  const { check, result } = await judged(fault, { rounds: 6 });
  expect(broken).toContain(check.verdict.state);
  expect(check.tries?.broken).toBeGreaterThan(0);
  expect(check.tries?.held).toBeGreaterThan(0);
  expect(result.repeated?.rounds).toHaveLength(6);
});

test.each(loadFaults)('$id: only a run under load shows it', async (fault) => {
  const alone = await judged(fault);
  expect(alone.check.verdict.state).toBe('pass');
  const { check, result } = await judged(fault, { load: { inFlight: 12, generations: 400 } });
  expect(broken).toContain(check.verdict.state);
  expect(result.traffic.load?.putOff).toBe(0);
});
