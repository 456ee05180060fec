import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { formatId, formatSender } from '../core/index.ts';
import { protocols } from '../core/protocol.ts';
import { ExchangePoints } from '../engine/exchange-points.ts';
import { LiveRun } from '../engine/live-run.ts';
import type { Plan } from '../engine/plan.ts';
import { suiteChecks } from '../engine/registry.ts';
import { judgeChecks, run } from '../engine/run.ts';
import { checksWith } from '../engine/selection.ts';
import { wholeRunOf } from '../engine/sent.ts';
import { beyondLimits } from '../engine/testing-output-limits.ts';
import { Traffic } from '../engine/traffic.ts';
import { NothingToJudge } from '../judge/failure.ts';
import { JudgedPoints, type ManyPoints } from '../judge/points.ts';
import { generationsIn } from '../protocols/generations.ts';
import { Recorder } from '../recordings/recorder.ts';
import { loadTarget } from '../targets/load.ts';
import { soundExchange } from './explain-example.ts';
import { inProcess as call, ofLessDeclared } from './testing.ts';

/** A whole run at a deployment as there are: the publishers' own names in its headers, and below a path. */

const folder = temporaryFolder();
const file = join(folder, 'target.yaml');
const names = { vendorA: 'anthropic', vendorB: 'goog' };
const traffic = new Traffic();

const gateway = await startReference({ names, pathPrefix: '/gateway/eu' });
writeFileSync(file, targetFile({ names }));
const stop = new AbortController().signal;
const recorder = new Recorder(null);
const target = loadTarget(file);
const live = new LiveRun({ target, seed: 1, runId: 'whole', stop, traffic, recorder });
const verdicts = await judgeChecks(live, await checksWith(null), { traffic });
const plan: Plan = JSON.parse((await call(`plan --target ${file} --json`)).out);
afterAll(async () => {
  await gateway.close();
});

/** JSON is YAML, too. */
function targetFile(more: object): string {
  const { regions, keys, probes, retentionDays } = gateway;
  const models = gateway.models.map((model) => ({ ...model, deterministic: true }));
  const limits = { concurrency: 16, requestsPerSecond: 1_000 };
  return JSON.stringify({
    ...{ name: 'named', regions, keys, models, probes, retentionDays, limits },
    ...more,
  });
}

test('a gateway with the real names of the publishers, below a path, is judged the same', async () => {
  expect(gateway.regions[0]?.baseUrl).toMatch(/\/gateway\/eu$/);
  const right = ['pass', 'note', 'not-applicable'];
  expect([...verdicts].filter(([, { state }]) => !right.includes(state))).toEqual([]);
  expect(verdicts.size).toBeGreaterThan(850);

  // Under the neutral names, the same gateway refuses the keys: the names matter.
  const neutral = join(folder, 'neutral.yaml');
  writeFileSync(neutral, targetFile({}));
  const line = `run --target ${neutral} access/credentials.own-header-served:messages`;
  expect((await call(line)).code).toBe(1);
});

test('a run asks for no more than the plan says: requests, generations, output', async () => {
  const planned = new Map(
    plan.checks.flatMap(({ scenarios }) => scenarios.map((one) => [one.name, one] as const)),
  );
  const sent = new Map<string, { requests: number; generations: number }>();
  const { exchanges } = await wholeRunOf(live);
  // Polls are announced for the run as a whole, not for a scenario.
  const waiting = exchanges.filter(
    ({ id }) => id.again.includes('lag') || id.again.includes('lockout'),
  );
  expect(waiting.length).toBeLessThanOrEqual(plan.waitingRequests);
  expect(traffic.requests).toBeLessThanOrEqual(plan.requests + plan.waitingRequests);
  for (const exchange of exchanges) {
    if (waiting.includes(exchange)) continue;
    const name = formatSender(exchange.id);
    const { requests, generations } = sent.get(name) ?? { requests: 0, generations: 0 };
    const generated = generationsIn(exchange);
    sent.set(name, { requests: requests + 1, generations: generations + generated });
  }
  expect(sent.size).toBeGreaterThan(400);
  expect(
    [...sent].filter(([name, { requests, generations }]) => {
      const most = planned.get(name);
      return !most || requests > most.requests || generations > most.generations;
    }),
  ).toEqual([]);
  expect([...live.undeclared]).toEqual([]);
  expect(await beyondLimits(live)).toEqual([]);
  expect(plan.outputTokens).toBeGreaterThan(1_000);
  expect(plan.unlimitedGenerations).toBeGreaterThan(0);
});

test('a plan expects what a right gateway is asked for', () => {
  const { requests, generations } = traffic.report();
  expect(requests).toBeLessThanOrEqual(plan.expectedRequests);
  expect(requests).toBeGreaterThan(0.7 * plan.expectedRequests);
  expect(generations).toBeLessThanOrEqual(plan.expectedGenerations);
  // The reference may refuse one hard input for each protocol, and one request is dropped before its answer.
  expect(generations).toBeGreaterThanOrEqual(plan.expectedGenerations - protocols.length - 1);
  expect(generations).toBeLessThanOrEqual(234);
});

test('no answer leaves undecided what is judged at every exchange: it holds, or is no case of it', async () => {
  // Otherwise a run without a relevant case, say of a model that never reaches its limit, would stay undecided.
  const whole = await wholeRunOf(live);
  const undecided: string[] = [];
  for (const { id, everywhere } of await suiteChecks()) {
    if (everywhere === undefined) continue;
    for (const exchange of whole.exchanges) {
      const points = new ExchangePoints();
      points.judge(everywhere, exchange, whole);
      const verdict = ended(points.all);
      if (!(verdict instanceof JudgedPoints || verdict instanceof NothingToJudge)) {
        undecided.push(`${id} at ${formatId(exchange.id)}: ${verdict}`);
      }
    }
  }
  expect(undecided).toEqual([]);
});

function ended(points: ManyPoints): unknown {
  try {
    return points.end();
  } catch (error) {
    return error;
  }
}

test('what is judged at every exchange is judged where it is asked for alone', {
  timeout: 120_000,
}, async () => {
  // Otherwise the result would depend on which tests ran before, and pass if the scenario is never requested.
  const target = loadTarget(file);
  const others: string[] = [];
  for (const { id, everywhere } of await suiteChecks()) {
    if (everywhere === undefined) continue;
    const { checks } = await run({ target, seed: 1, only: { ids: [id], others: 'Not asked for' } });
    const { state } = checks.find((check) => check.id === id)?.verdict ?? {};
    if (state !== verdicts.get(id)?.state) others.push(`${id}: ${state}`);
  }
  expect(others).toEqual([]);
});

test('every check has an exchange of a sound run by which `explain` shows it', async () => {
  const { exchanges } = await wholeRunOf(live);
  const without = plan.checks.filter(({ judgedOn, scenarios }) => {
    const names = new Set(scenarios.map(({ name }) => name));
    const sent = exchanges.filter(({ id }) => names.has(formatSender(id)));
    return soundExchange(judgedOn, sent) === null;
  });
  expect(plan.checks.length).toBeGreaterThan(1_000);
  // The target file leaves nothing out. `explain.test.ts` tries these with one that does.
  const others = without.filter(({ id }) => !ofLessDeclared.some((row) => id.startsWith(row)));
  expect(others.map(({ id }) => id)).toEqual([]);
});
