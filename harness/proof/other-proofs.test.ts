import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../kernel/core/catalogue.ts';
import {
  blamesNobody,
  breaksNothing,
  judgeMutations,
  judgeTransients,
} from './answers/sound-answers.ts';
import { determinism, isDeterministic } from './determinism.ts';
import { judgeNullTargets } from './judge-null-targets.ts';
import { earnedNothing } from './print.ts';

/** A few of each kind: that the other proofs work. */
describe('of a sample', { timeout: 180_000 }, () => {
  test('no server that is no gateway earns a MUST', async () => {
    // The one that asks most of the suite, and one that asks least.
    const earned = await judgeNullTargets({ seed: 1 }, ['good-response-or-none', 'unauthorized']);
    expect(earned).toHaveLength(2);
    expect(earned.filter((one) => !earnedNothing(one))).toEqual([]);
  });

  test('no transient failure of an answer is blamed on the gateway', async () => {
    const suite = loadCatalogue().checks.filter(({ id }) => id.startsWith('models/'));
    const tried = await judgeTransients({ seed: 1, selected: suite.map(({ id }) => id) });
    expect(tried.blamed).toEqual([]);
    expect(blamesNobody(tried)).toBe(true);
  });

  test('no answer breaks a judgement, whatever stands in it', async () => {
    const some = /^(models|everywhere\/native)/;
    const suite = loadCatalogue().checks.filter(({ id }) => some.test(id));
    const tried = await judgeMutations(3, { seed: 1, selected: suite.map(({ id }) => id) });
    expect(tried.broken).toEqual([]);
    expect(breaksNothing(tried)).toBe(true);
  });

  test('no order, chance or pace changes a verdict, nor hides a fault', async () => {
    const judged = await determinism(
      { seed: 1 },
      { sound: [], faults: new Set(['websocket.interleaves']) },
    );
    expect(judged.filter((one) => !isDeterministic(one))).toEqual([]);
    expect(judged).toHaveLength(2);
  });
});
