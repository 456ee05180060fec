import { expect, test } from 'vitest';
import { type Named, startSubject } from '../../proof/subject.ts';
import { rootCausesOf } from '../core/root-causes.ts';
import { sampleCheck, sampleRun } from '../core/samples/run.ts';
import { run } from '../engine/run.ts';
import { type ConsoleOptions, renderConsole } from '../report/console.ts';
import { rowsOf } from '../report/wrap.ts';

/** A terminal with 50 rows, twice; some are left for what is said of files. */
const columns = 80;
const screens = { colour: false, width: columns };
const rows = 100 - 8;

function rowsOn(result: Parameters<typeof renderConsole>[0], options: ConsoleOptions): number {
  return rowsOf(renderConsole(result, options).trimEnd().split('\n'), { columns });
}

const broken: readonly Named[] = [
  { kind: 'null-target', id: 'unauthorized' },
  { kind: 'fault', id: 'outright.responses-refused' },
];

test.each(broken)('a run on $id is told on two screens', { timeout: 60_000 }, async (gateway) => {
  const { target, close } = await startSubject({ id: 'one', gateway, selected: null });
  try {
    const result = await run({ target, seed: 1 });
    expect(rowsOn(result, screens)).toBeLessThanOrEqual(rows);
    expect(rowsOn(result, { ...screens, quiet: true })).toBeLessThanOrEqual(rows);
    // With a single defect, most undecided checks are listed under its cause.
    const [first, ...others] = rootCausesOf(result);
    const open = result.checks.filter(({ verdict }) => verdict.state === 'inconclusive');
    expect(others.length).toBeLessThan(5);
    expect(first?.waiting.length).toBeGreaterThan(open.length * 0.9);
  } finally {
    await close();
  }
});

test('however much fails, for however many reasons, and however much is said of it', () => {
  const long = 'word '.repeat(200);
  const many = Array.from({ length: 120 }, (_, at) => `${'x'.repeat(at % 40)}${long.slice(at)}`);
  const result = sampleRun([
    ...many.map((actual, at) =>
      sampleCheck(`storage/a.b-${'c'.repeat(at)}`, {
        state: at % 2 === 0 ? 'fail' : 'warn',
        expected: long,
        actual,
        evidence: null,
      }),
    ),
    ...many.map((reason, at) =>
      sampleCheck(`access/a.b-${at}`, {
        state: 'untestable',
        reason,
        gap: { kind: 'key', names: [`k${at}`] },
      }),
    ),
    ...many.map((reason, at) => sampleCheck(`input/a.b-${at}`, { state: 'error', reason })),
  ]);
  expect(rowsOn(result, screens)).toBeLessThanOrEqual(rows);
  expect(rowsOn(result, { ...screens, verbose: true })).toBeGreaterThan(1000);
});
