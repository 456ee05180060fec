import { expect, test } from 'vitest';
import { judge, requestOf } from '../../kernel/cli/judging/judge.ts';
import type { CheckResult, RunResult } from '../../kernel/core/result.ts';
import { designAt } from '../../kernel/engine/design.ts';
import { inWords } from '../../kernel/model/cells.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import type { Target } from '../../kernel/targets/target.ts';
import { silentTerminal } from '../../kernel/terminal/silent-terminal.ts';
import type { Fault } from '../../proof/faults/fault.ts';
import { loadFaults, rareFaults } from '../../proof/testing-at-times.ts';
import { modifiers } from './index.ts';

/** Returns the target with one region, so that each round has this home, and one act that shows the denial. */
function narrowed(whole: Target): Target {
  const target = { ...whole, regions: whole.regions.slice(0, 1) };
  const { cells } = designAt(target);
  const cell = cells.find(
    ({ reason, second, operation, mode }) =>
      [reason, second, operation, mode].join() === 'other-user,,lookup,one-body',
  );
  return { ...target, onlyCells: new Set(cell === undefined ? [] : [inWords(cell)]) };
}

interface Modified {
  readonly repeat?: number;
  readonly underLoad?: number;
  readonly loadGenerations?: number;
}

/** Judges a faulty gateway by what it breaks. */
async function judged(
  fault: Fault,
  own: Modified = {},
): Promise<{ readonly result: RunResult; readonly check: CheckResult }> {
  const [id = ''] = fault.breaks;
  const { target, close } = await referenceTarget({ defect: fault });
  const whole = modifiers.reduce((inner, modifier) => modifier.modify(inner), judge);
  const options = { ids: [id], again: null, since: 0, color: false, quiet: true, seed: 1, ...own };
  const { signal } = new AbortController();
  const nothing = (): void => undefined;
  const progress = { update: nothing, say: nothing, end: nothing };
  try {
    const planned = await whole(narrowed(target), requestOf(options, {}, 1));
    const result = await planned.begin({ terminal: silentTerminal, signal, progress });
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
  const { check, result } = await judged(fault, { repeat: 6 });
  expect(broken).toContain(check.verdict.state);
  expect(check.tries?.broken).toBeGreaterThan(0);
  expect(check.tries?.held).toBeGreaterThan(0);
  expect(result.repeated?.rounds).toHaveLength(6);
});

test.each(loadFaults)('$id: only a run under load shows it', async (fault) => {
  const alone = await judged(fault);
  expect(alone.check.verdict.state).toBe('pass');
  const { check, result } = await judged(fault, { underLoad: 12, loadGenerations: 400 });
  expect(broken).toContain(check.verdict.state);
  expect(result.traffic.load?.putOff).toBe(0);
});
