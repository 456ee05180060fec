import type { Citation } from '../requirement.ts';
import type { CheckResult, RunResult } from '../result.ts';
import { countsOf, suiteOf } from '../result.ts';
import { type CheckState, type CheckVerdict, checkStates, runVerdict } from '../verdict.ts';

const sampleClause: Citation = {
  id: 'STORE-5',
  kind: 'clause',
  text: 'With `store` false a lookup over HTTP is not permitted.',
  link: 'fixtures/specification.md#store-5',
};

export const sampleDocument: Citation = {
  id: 'responses-retrieve',
  kind: 'document',
  text: 'Responses API: get a response',
  link: 'https://docs.example/responses/retrieve',
};

/** A check result for the tests of reports. */
export function sampleCheck(
  id: string,
  verdict: CheckVerdict,
  fields: Partial<CheckResult> = {},
): CheckResult {
  return {
    id,
    suite: suiteOf(id),
    requirement: id.replace(/:.*/, ''),
    level: verdict.state === 'warn' ? 'SHOULD' : verdict.state === 'note' ? 'MAY' : 'MUST',
    text: `What ${id} says holds.`,
    basis: { citations: [sampleClause, sampleDocument], judgement: null },
    scenarios: ['responses/stored'],
    durationMs: 1250,
    verdict,
    ...fields,
  };
}

/** A run with these checks, for the tests of reports. Counts and verdict are derived. */
export function sampleRun(
  checks: readonly CheckResult[],
  fields: Partial<RunResult> = {},
): RunResult {
  const strict = fields.strict ?? false;
  return {
    suiteVersion: '0.1.0',
    target: { name: 'staging', regions: [{ name: 'eu', baseUrl: 'https://eu.example' }] },
    seed: 42,
    runId: '7f3c9a4e-0000-4000-8000-000000000000',
    startedAt: '2025-01-02T03:04:05.000Z',
    durationMs: 2500,
    verdict: runVerdict(checks, { strict }),
    strict,
    interrupted: false,
    filters: [],
    counts: countsOf(checks),
    traffic: {
      requests: 12,
      generations: 1,
      spanMs: 2300,
      longestChainMs: 900,
      longestChainRequests: 4,
      longestChainPausesMs: 100,
      latencyMs: 5000,
      scenarios: [{ name: 'responses/stored', durationMs: 1250 }],
    },
    catalogue: { revision: 1, sha256: '1'.repeat(64) },
    specification: { revision: 1, date: '2025-01-01', sha256: '0'.repeat(64) },
    checks,
    unchecked: [
      {
        id: 'not-observable/promises.no-webhooks',
        text: 'It sends no webhooks.',
        reason: 'Unseen.',
      },
    ],
    ...fields,
  };
}

const evidence = {
  exchange: 'responses/stored#main/1',
  request: 'GET /v1/responses/resp_1',
  outcome: '404',
  received: '{"error":{"message":"no such response"}}',
  curl: 'curl -sS \'https://eu.example/v1/responses/resp_1\' -H "Authorization: Bearer $TOUCHSTONE_KEY"',
};

export const sampleChecks: readonly CheckResult[] = checkStates.map(checkIn);

function checkIn(state: CheckState): CheckResult {
  const found = { expected: 'the stored response (2xx)', actual: '404 with an error', evidence };
  switch (state) {
    case 'pass':
      return sampleCheck('generation/responses.shape', { state });
    case 'fail':
      return sampleCheck('storage/responses.lookup-served', { state, ...found });
    case 'warn':
      return sampleCheck('access/credentials.query-key-refused:chat-completions', {
        state,
        ...found,
        expected: 'a refusal (4xx)',
        actual: '200 with a generated answer',
      });
    case 'note':
      return sampleCheck('generation/limits.limit-omitted:responses', {
        state,
        ...found,
        actual: 'it was served',
      });
    case 'not-applicable':
      return sampleCheck('generation/compact.shape', {
        state,
        reason: 'no model supports `compact`',
      });
    case 'untestable':
      return sampleCheck('access/owners.other-user-denied:lookup', {
        state,
        reason: 'add `keys.otherUser` to the target file: a key of another user',
        gap: { kind: 'key', names: ['otherUser'] },
      });
    case 'inconclusive':
      return sampleCheck('generation/messages.shape', {
        state,
        cause: 'rate-limit',
        reason: 'POST /v1/messages was answered 429',
        evidence,
      });
    case 'excluded':
      return sampleCheck('models/list.shape', { state, reason: 'no filter names it' });
    case 'error':
      return sampleCheck('generation/tools.shape:responses', {
        state,
        reason: 'TypeError: x is null',
      });
  }
}
