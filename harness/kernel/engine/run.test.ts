import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { loadCatalogue } from '../core/catalogue.ts';
import { fromLine } from '../wire/recording.ts';
import { plan } from './plan.ts';
import { checksOf, suiteChecks } from './registry.ts';
import { run } from './run.ts';
import { liveRun, reference } from './testing.ts';
import { verdictsOf } from './verdicts.ts';

/** Whole runs. */

/** Checks as they can go wrong; not those of the suites. */
const sampleChecks = checksOf(() => import('./samples/verdicts.ts'));

test('each check has the verdict that its judgement gives, and each scenario is sent once', async () => {
  const { target, requestCount } = await reference({ regions: ['eu'] });
  const { run: live, traffic } = liveRun(target);
  const verdicts = await verdictsOf(live, await sampleChecks);
  expect(verdicts.get('generation/responses.shape')).toEqual({ state: 'pass' });
  expect(verdicts.get('generation/responses.full-shape')).toMatchObject({
    state: 'warn',
    expected: 'something else',
    actual: 'this',
    evidence: { exchange: 'sample/created#main/0', request: 'POST /v1/responses' },
  });
  expect(verdicts.get('generation/responses.id-unique')).toMatchObject({
    state: 'error',
    reason: expect.stringContaining('TypeError: the check broke'),
  });
  expect(verdicts.get('generation/responses.usage-adds-up')?.state).toBe('error');
  expect(verdicts.get('generation/responses.status-explained')).toEqual({
    state: 'not-applicable',
    reason: 'nothing there',
  });
  expect(verdicts.get('models/list.shape')).toMatchObject({
    state: 'inconclusive',
    cause: 'prerequisite',
    reason: expect.stringContaining('nothing to go on with'),
    evidence: { exchange: 'sample/created#main/0' },
  });
  const keyRequired = [...verdicts].filter(([id]) =>
    id.startsWith('access/credentials.key-required:'),
  );
  expect(keyRequired.length).toBeGreaterThan(5);
  for (const [, verdict] of keyRequired) {
    expect(verdict).toMatchObject({
      state: 'error',
      reason: expect.stringContaining('RangeError: the scenario broke'),
    });
  }
  expect(verdicts.get('models/list.permitted-only')).toEqual({ state: 'pass' });
  expect(verdicts.get('models/list.entry-fields')).toEqual(verdicts.get('models/list.shape'));
  // A check on several scenarios runs none of them if one cannot run.
  expect(verdicts.get('models/list.ids-unique')?.state).toBe('untestable');
  expect(requestCount()).toBe(3);
  expect(traffic).toMatchObject({ requests: 3, generations: 1 });
});

test('of a selection only the scenarios are sent that it needs', async () => {
  const { target, requestCount } = await reference();
  const selected = (await sampleChecks).filter(
    ({ id }) => id === 'generation/responses.status-explained',
  );
  const verdicts = await verdictsOf(liveRun(target).run, selected);
  expect([...verdicts.keys()]).toEqual(['generation/responses.status-explained']);
  expect(requestCount()).toBe(1);
});

test.each([
  [
    'an id of no row',
    () => import('./samples/unknown-id.ts'),
    '"models/list.no-such-row" is not in the catalogue. Near it are: models/list',
  ],
  [
    'a name of two scenarios',
    () => import('./samples/one-name.ts'),
    'Two scenarios are called sample/one',
  ],
])('%s stops a run before anything is sent: the checks do not load', async (_, load, said) => {
  await expect(load()).rejects.toThrow(said);
});

test('a filter that matches nothing stops the run before anything is sent', async () => {
  const { target, requestCount } = await reference();
  await expect(run({ target, seed: 1, filters: ['no/such'] })).rejects.toThrow('"no/such"');
  expect(requestCount()).toBe(0);
});

test('planning sends nothing, and knows every check of the suites', async () => {
  const { target, requestCount } = await reference();
  const planned = await plan(target);
  const bound = new Set(planned.checks.map(({ id }) => id));
  expect(loadCatalogue().checks.filter(({ id }) => !bound.has(id))).toEqual([]);
  expect(planned.requests).toBeGreaterThan(100);
  expect(planned.longestChain).toBeGreaterThan(1);
  const ofClients = loadCatalogue('client').checks.map(({ id }) => id);
  expect((await suiteChecks('client')).map(({ id }) => id).sort()).toEqual(ofClients.sort());
  expect(requestCount()).toBe(0);
});

test('a run that is interrupted ends cleanly: what came is judged, nothing further is sent', async () => {
  const { target, requestCount } = await reference({ latencyMs: 150 });
  const slow = { ...target, limits: { ...target.limits, concurrency: 2 } };
  const recording = join(temporaryFolder(), 'run.jsonl');
  const stop = new AbortController();
  let sent = 0;
  const result = await run({
    target: slow,
    seed: 1,
    filters: ['access/credentials'],
    recording,
    signal: stop.signal,
    onProgress({ requests }) {
      if (requests < 4 || stop.signal.aborted) return;
      sent = requestCount();
      stop.abort();
    },
  });
  expect(sent).toBeGreaterThan(0);
  // Up to two that were on their way while the worker learnt of it.
  expect(requestCount()).toBeLessThanOrEqual(sent + 4);
  expect(result.interrupted).toBe(true);
  expect(result.verdict).toBe('indeterminate');
  const errors = result.checks.filter(({ verdict }) => verdict.state === 'error');
  expect(errors.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  expect(result.counts.inconclusive).toBeGreaterThan(10);
  const exchanges = readFileSync(recording, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes('"exchange"'))
    .map((line) => fromLine(line).exchange);
  const answered = exchanges.filter(({ response }) => response !== null);
  expect(answered.length).toBe(requestCount());
  const interrupted = exchanges.filter(({ failure }) => failure?.kind === 'interrupted');
  expect(interrupted).toHaveLength(exchanges.length - answered.length);
});

test('a run that is interrupted before it begins sends nothing', async () => {
  const { target, requestCount } = await reference();
  const { interrupted, verdict } = await run({
    target,
    seed: 1,
    filters: ['generation/responses'],
    signal: AbortSignal.abort(),
  });
  expect({ interrupted, verdict }).toEqual({ interrupted: true, verdict: 'indeterminate' });
  expect(requestCount()).toBe(0);
});

test('runs of several targets go side by side, and share nothing', async () => {
  const defect = faults.find(({ id }) => id === 'auth.keyless-lookup');
  if (defect === undefined) throw new Error('There is no such fault');
  const started = await Promise.all([reference(), reference({ defect }), reference()]);
  const filters = ['access/credentials.key-required:lookup', 'generation/responses.shape'];
  const results = await Promise.all(started.map(({ target }) => run({ target, seed: 1, filters })));
  expect(results.map(({ counts }) => counts.fail)).toEqual([0, 1, 0]);
  expect(new Set(results.map(({ runId }) => runId)).size).toBe(3);
  for (const [index, { requestCount }] of started.entries()) {
    expect(results[index]?.traffic.requests).toBe(requestCount());
  }
});
