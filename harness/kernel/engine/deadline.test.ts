import { expect, test } from 'vitest';
import { allowing, verdictThatCounts } from '../core/known-failures.ts';
import { referenceTarget } from '../targets/reference.ts';
import { run } from './run.ts';

test('a run that is out of time judges what came, and blames nobody for the rest', async () => {
  // Long before the end of what these ask for, one request after another.
  const { target, close } = await referenceTarget({ latencyMs: 250 });
  try {
    const filters = ['websocket/', 'access/protocols', 'models/list'];
    const result = await run({ target, seed: 1, filters, deadlineMs: 1_600 });
    const asked = result.checks.filter(({ verdict }) => verdict.state !== 'excluded');
    const states = new Set(asked.map(({ verdict }) => verdict.state));
    expect([...states].filter((state) => /fail|warn|error/.test(state))).toEqual([]);
    const causes = asked.flatMap(({ verdict }) => ('cause' in verdict ? [verdict.cause] : []));
    expect(new Set(causes)).toEqual(new Set(['out-of-time']));
    expect(result).toMatchObject({ verdict: 'indeterminate', interrupted: false });
    // Checks that the filters exclude still make the run partial when this cause is allowed.
    expect(verdictThatCounts(allowing(result, ['out-of-time']))).toMatch(
      /^(partial|indeterminate)$/,
    );
  } finally {
    await close();
  }
});
