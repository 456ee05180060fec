import { describe, expect, test } from 'vitest';
import { excuse } from '../../kernel/core/known-failures.ts';
import type { RunResult } from '../../kernel/core/result.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../../kernel/core/samples/run.ts';
import type { CheckVerdict } from '../../kernel/core/verdict.ts';
import { explain } from '../../kernel/report/explanation.ts';
import { mergeReports } from './merge-reports.ts';

const elsewhere: CheckVerdict = {
  state: 'excluded',
  reason: 'In another part of the run',
  elsewhere: true,
};

/** A run cut into parts: check k is judged by part k modulo their number, and none judges what was left out. */
function cut(whole: RunResult, of: number): { file: string; report: RunResult }[] {
  return Array.from({ length: of }, (_, at) => {
    const checks = whole.checks.map((check, index) =>
      index % of === at || check.verdict.state === 'excluded'
        ? check
        : { ...check, verdict: elsewhere },
    );
    const { filters, strict, seed } = whole;
    const shard = { index: at + 1, of };
    const report = sampleRun(checks, { filters, strict, seed, shard, runId: `run-${at}` });
    return { file: `part-${at + 1}.json`, report };
  });
}

const passing = ['a/b.c', 'a/b.d', 'a/b.e', 'a/b.f'].map((id) =>
  sampleCheck(id, { state: 'pass' }),
);

describe('parts come to the verdict of the whole', () => {
  test.each([
    ['of all states', sampleRun(sampleChecks)],
    ['that is conformant', sampleRun(passing)],
    ['that is strict', sampleRun(sampleChecks, { strict: true })],
  ])('%s', (_, whole) => {
    for (const of of [1, 2, 3]) {
      const merged = mergeReports(cut(whole, of));
      expect(merged.checks).toEqual(whole.checks);
      expect(merged.verdict).toBe(whole.verdict);
      expect(merged.counts).toEqual(whole.counts);
      expect(merged.shard).toBeUndefined();
    }
  });

  test('the models that any of them judged, of those that one was shown', () => {
    const seen = [
      { judged: ['m-1'], listed: 4, leftOut: 3, named: ['m-2', 'm-3', 'm/4'] },
      { judged: ['m-2', 'm/4'], listed: null, leftOut: 0, named: [] },
    ] as const;
    const parts = cut(sampleRun(passing), 2).map(({ file, report }, part) => {
      const models = seen[part];
      return {
        file,
        report: { ...report, target: { ...report.target, ...(models && { models }) } },
      };
    });
    expect(mergeReports(parts).target.models).toEqual({
      ...{ judged: ['m-1', 'm-2', 'm/4'], listed: 4, leftOut: 1, named: ['m-3'] },
    });
  });

  test('of what each judged everywhere, the worst, at all points together', () => {
    const whole = sampleRun(passing);
    const judged: readonly CheckVerdict[] = [
      { state: 'pass', points: { judged: 5, broken: 0 } },
      {
        state: 'fail',
        expected: 'one',
        actual: 'two',
        evidence: null,
        points: { judged: 3, broken: 1 },
      },
      { state: 'not-applicable', reason: 'nothing' },
    ];
    const parts = cut(whole, 3).map(({ file, report }, part) => ({
      file,
      report: {
        ...report,
        checks: report.checks.map((check, index) =>
          index === 0
            ? { ...check, everywhere: true as const, verdict: judged[part] ?? check.verdict }
            : check,
        ),
      },
    }));
    const merged = mergeReports(parts);
    expect(merged.checks[0]?.verdict).toEqual({ ...judged[1], points: { judged: 8, broken: 1 } });
    expect(merged.verdict).toBe('nonconformant');
  });

  test('whatever their order', () => {
    const whole = sampleRun(sampleChecks);
    expect(mergeReports(cut(whole, 3).reverse()).checks).toEqual(whole.checks);
  });
});

test('traffic adds up, and the run lasts from the first start to the last end', () => {
  const [one, two] = cut(sampleRun(passing), 2);
  if (one === undefined || two === undefined) throw new Error('two parts were made');
  const later = { ...two.report, startedAt: '2025-01-02T03:04:06.000Z' };
  const merged = mergeReports([one, { ...two, report: later }]);
  expect(merged.traffic).toMatchObject({ requests: 24, generations: 2, latencyMs: 10_000 });
  expect(merged.traffic.spanMs).toBe(3300);
  expect(merged.durationMs).toBe(3500);
  expect(merged.runId).toBe('run-0 run-1');
});

test('a missing part makes the run indeterminate, and says which one', () => {
  const merged = mergeReports(cut(sampleRun(passing), 3).slice(0, 2));
  expect(merged.verdict).toBe('indeterminate');
  expect(merged.checks[2]?.verdict).toEqual({
    state: 'inconclusive',
    cause: 'missing-report',
    reason: 'Its part has no report: of 3 parts, 3 is missing',
    evidence: null,
  });
  expect(explain(merged).next).toBe('Merge again, with the reports of all parts.');
});

test('a part by itself says how it comes to a verdict', () => {
  const [part] = cut(sampleRun(passing), 2);
  if (part === undefined) throw new Error('two parts were made');
  expect(explain(part.report).next).toContain('This is part 1 of 2: touchstone merge joins');
});

test('a missing part does not hide a failure', () => {
  const parts = cut(sampleRun(sampleChecks), 2);
  expect(mergeReports(parts.slice(1)).verdict).toBe('nonconformant');
});

test('what the ids left out stays left out', () => {
  const reason = 'Left out by the ids that the run was asked for';
  const checks = [...passing, sampleCheck('c/d.e', { state: 'excluded', reason })];
  const merged = mergeReports(cut(sampleRun(checks, { filters: ['a/'] }), 2));
  expect(merged.verdict).toBe('partial');
  expect(merged.checks.at(-1)?.verdict).toEqual({ state: 'excluded', reason });
});

test('known failures are weighed again: an entry may fail in one part only', () => {
  const failed = sampleChecks.filter(({ verdict }) => verdict.state === 'fail');
  const known = failed.map(({ id }) => ({ id, line: 1 }));
  const parts = cut(sampleRun([...passing, ...failed]), 2).map(({ file, report }) => ({
    file,
    report: excuse(report, 'known.txt', known),
  }));
  const merged = mergeReports(parts);
  expect(merged.verdict).toBe('known-failures');
  expect(merged.knownFailures?.excused).toEqual(failed.map(({ id }) => id));
});

describe('no parts of one run are', () => {
  const [one, two] = cut(sampleRun(passing), 2);
  if (one === undefined || two === undefined) throw new Error('two parts were made');
  const other = (change: Partial<RunResult>) => ({ ...two, report: { ...two.report, ...change } });
  const { shard: _, ...whole } = two.report;
  test.each([
    [
      'the same part twice',
      { ...one, file: 'copy.json' },
      'part-1.json and copy.json are both part 1/2.',
    ],
    [
      'a run that was not split',
      { ...two, report: whole },
      'part-2.json is not part of a split run',
    ],
    ['other seeds', other({ seed: 7 }), 'made with other seeds'],
    ['other numbers of parts', other({ shard: { index: 2, of: 3 } }), 'another number of parts'],
    ['other versions', other({ suiteVersion: '9.9.9' }), 'other versions of the suite'],
    ['other targets', other({ target: { name: 'x', regions: [] } }), 'other targets'],
    ['other ids', other({ filters: ['a/'] }), 'asked for other ids'],
    [
      'other catalogues',
      other({ catalogue: { revision: 1, sha256: '2'.repeat(64) } }),
      'of other catalogues',
    ],
    ['two that judged the same', other({ checks: passing }), 'both judged a/b.c'],
  ])('%s', (_, second, message) => {
    expect(() => mergeReports([one, second])).toThrow(message);
  });
});
