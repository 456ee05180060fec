import { expect, test } from 'vitest';
import { percentilesOf } from '../../kernel/core/percentiles.ts';
import type { CheckResult, RunResult } from '../../kernel/core/result.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../../kernel/core/samples/run.ts';
import type { CheckVerdict } from '../../kernel/core/verdict.ts';
import { renderConsole } from '../../kernel/report/console.ts';
import { renderCtrf } from '../../kernel/report/ctrf.ts';
import { renderJson } from '../../kernel/report/json.ts';
import { isReport } from '../../kernel/report/report-schema.ts';
import { triesInWords } from '../../kernel/report/words.ts';
import { loadInWords } from './load-words.ts';
import { Rounds, repeatedInWords } from './rounds.ts';

const id = 'storage/responses.lookup-served';
const pass: CheckVerdict = { state: 'pass' };
const { verdict: fail } = sampleChecks.find((check) => check.verdict.state === 'fail') ?? {
  verdict: pass,
};
const open: CheckVerdict = {
  state: 'inconclusive',
  cause: 'timeout',
  reason: 'late',
  evidence: null,
};
const none: CheckVerdict = { state: 'not-applicable', reason: 'nothing to try it on' };

/** Joins rounds in which one check has these verdicts, and another check always holds. */
function roundsOf(
  verdicts: readonly CheckVerdict[],
  { times = verdicts.length, ...fields }: Partial<RunResult> & { times?: number } = {},
): { result: RunResult; check: CheckResult } {
  const rounds = new Rounds(times);
  for (const [index, verdict] of verdicts.entries()) {
    const checks = [sampleCheck('models/list.shape', pass), sampleCheck(id, verdict)];
    rounds.add(sampleRun(checks, { seed: index, ...fields }));
  }
  const { result } = rounds;
  const check = result?.checks[1];
  if (result == null || check === undefined) throw new Error('There was no round.');
  return { result, check };
}

test('what fails in one round of fifty fails, with its rate and its round', () => {
  const verdicts = Array.from({ length: 50 }, (_, index) => (index === 30 ? fail : pass));
  const { result, check } = roundsOf(verdicts);
  expect(result.verdict).toBe('nonconformant');
  expect(check.verdict).toEqual(fail);
  expect(check.tries).toEqual({ held: 49, broken: 1, undecided: 0, brokenIn: [31] });
  expect(triesInWords(check)).toBe('broken in 1 of 50 tries: 2 %, at 95 % between 0.05 % and 11 %');
  const shown = renderConsole(result, { colour: false, width: 200 });
  expect(shown).toContain('broken in 1 of 50 tries');
  expect(repeatedInWords(result)).toBe(
    '50 rounds; 1 check broken at times only; 1 check never broken, the least sure held in 50 of 50: at most 5.9 % at 95 %',
  );
  expect(renderCtrf(result)).toContain('"flaky": true');
});

test('what held in all of 200 rounds says how sure that is', () => {
  const { result, check } = roundsOf(Array.from({ length: 200 }, () => pass));
  expect(result.verdict).toBe('conformant');
  expect(triesInWords(check)).toBe('held in 200 of 200: at most 1.5 % at 95 %');
});

test('an inconclusive round does not count as held; what was never decided is inconclusive', () => {
  const some = roundsOf([open, pass, none, pass]);
  expect(some.check.verdict).toEqual(pass);
  expect(triesInWords(some.check)).toBe(
    'held in 2 of 2: at most 78 % at 95 %, undecided in 1 more',
  );
  expect(some.result.verdict).toBe('conformant');
  const never = roundsOf([open, none, open]);
  expect(never.check.verdict).toEqual(open);
  expect(triesInWords(never.check)).toBe('undecided in 2 tries');
  expect(never.result.verdict).toBe('indeterminate');
  const nothing = roundsOf([none, none]);
  expect(nothing.check).not.toHaveProperty('tries');
  expect(nothing.result.verdict).toBe('conformant');
});

test('fewer rounds than asked for are green in no case, and red where one was', () => {
  expect(roundsOf([pass, pass], { times: 3 }).result.verdict).toBe('indeterminate');
  expect(roundsOf([pass, fail], { times: 3 }).result.verdict).toBe('nonconformant');
  const { result } = roundsOf([pass], { interrupted: true });
  expect(result.verdict).toBe('indeterminate');
  expect(result.repeated?.rounds).toMatchObject([{ seed: 0, cut: true }]);
  const late: CheckVerdict = { ...open, cause: 'out-of-time' };
  expect(roundsOf([pass, late]).result.verdict).toBe('indeterminate');
});

test('rounds add up what they sent, and their report is as the schema says', () => {
  const { result } = roundsOf([pass, fail]);
  expect(result.traffic).toMatchObject({ requests: 24, generations: 2, latencyMs: 10_000 });
  expect(isReport(JSON.parse(renderJson(result)))).toBe(true);
  expect(isReport(JSON.parse(renderJson(sampleRun(sampleChecks))))).toBe(true);
});

test('of what was in flight beside rounds, percentiles are those of all together', () => {
  const roundWith = (milliseconds: number, generations: number): RunResult => {
    const run = sampleRun([sampleCheck(id, pass)]);
    const times = percentilesOf([[milliseconds, generations]]);
    const latency = { generations, firstByteMs: times, wholeMs: times };
    const asked = { most: 100, requests: generations, generations, putOff: 0 };
    const beside = { requestsOfRun: 12, besideRequests: 12, ownMs: 100, besideMs: 300 };
    return {
      ...run,
      traffic: { ...run.traffic, load: { inFlight: 4, ...asked, ...beside, latency } },
    };
  };
  const rounds = new Rounds(2);
  rounds.add(roundWith(10, 95));
  rounds.add(roundWith(900, 5));
  const { result } = rounds;
  expect(result?.traffic.load?.latency?.wholeMs).toMatchObject({ p50: 10, p90: 10, p99: 900 });
  expect(loadInWords(result?.traffic ?? sampleRun([]).traffic)).toMatch(
    /^up to 4 generations of others in flight, 3\.0 on average, beside 24 of 24 requests; 100 served, of at most 200;/,
  );
  expect(result === null ? null : isReport(JSON.parse(renderJson(result)))).toBe(true);
});

test('only the checks that a round makes worse have their verdict from it', () => {
  const rounds = new Rounds(3);
  const add = (verdict: CheckVerdict) =>
    rounds.add(sampleRun([sampleCheck(id, verdict)])).map((check) => check.id);
  expect([add(pass), add(fail), add(fail)]).toEqual([[id], [id], []]);
});
