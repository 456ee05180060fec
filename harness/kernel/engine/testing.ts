import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { Recorder } from '../recordings/recorder.ts';
import { beginRecording, readRecording } from '../recordings/recording.ts';
import { withDefaults } from '../targets/defaults.ts';
import { referenceTarget, type StartedTarget } from '../targets/reference.ts';
import type { Limits, Target } from '../targets/target.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { outcomeOf } from './capture.ts';
import { captureCheck } from './check.ts';
import type { Judgement } from './judge.ts';
import { LiveRun, type LiveRunOptions } from './live-run.ts';
import type { Outcome } from './outcome.ts';
import type { PlannedScenario } from './plan.ts';
import { ReplayRun } from './recordings/replay-run.ts';
import type { Check } from './registry.ts';
import type { CapturedOn, JudgedOn, Scenario } from './scenario.ts';
import type { Sequence } from './session.ts';
import { Traffic } from './traffic.ts';

/** Helpers for the tests of this room: targets, and runs of single scenarios. */

/** Starts the embedded reference. The end of the test closes it. */
export async function reference(
  options: Parameters<typeof referenceTarget>[0] = {},
): Promise<StartedTarget> {
  const started = await referenceTarget(options);
  onTestFinished(() => started.close());
  return started;
}

/** Returns a target of one region and one model that declares every protocol. */
export function targetAt(baseUrl: string, limits: Partial<Limits> = {}): Target {
  return withDefaults(
    {
      name: 'test',
      regions: [{ name: 'here', baseUrl }],
      keys: { owner: 'canary-owner' },
      models: [{ id: 'm', protocols: ['responses', 'chat', 'vendorA-messages', 'vendorB'] }],
      limits: { concurrency: 64, requestsPerSecond: null, timeoutMs: 20_000, ...limits },
    },
    'test',
  );
}

export function liveRun(
  target: Target,
  {
    seed = 1,
    runId = 'run',
    sequence = {},
    stop = new AbortController().signal,
  }: { seed?: number; runId?: string; sequence?: Sequence; stop?: AbortSignal } = {},
): { readonly run: LiveRun; readonly traffic: Traffic } {
  const traffic = new Traffic();
  const recorder = new Recorder(null);
  return {
    traffic,
    run: new LiveRun({
      target,
      seed,
      runId,
      sequence,
      stop,
      traffic,
      recorder,
    }),
  };
}

/** Returns an answered exchange for tests that need no more. */
export function answered(body: string, fields: Partial<Exchange> = {}): Exchange {
  const bytes = Buffer.from(body);
  return {
    id: idFrom('test#main/0'),
    about: { operation: 'responses.create', protocol: 'responses', region: 'here', key: 'owner' },
    request: { method: 'POST', url: 'http://here/v1/responses', headers: [], body: null },
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: bytes,
      chunks: [{ at: 2, end: bytes.length }],
      complete: true,
    },
    socket: null,
    failure: null,
    times: { started: 0, headers: 1, ended: 2 },
    echoed: [],
    ...fields,
  };
}

/** Returns a check that is in no catalogue. */
export function checkOn<On extends JudgedOn>(
  id: string,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
  inEachRegion = false,
): Check {
  const basis = { citations: [], judgement: 'Here.' };
  const row = { id, level: 'MUST', basis } as const;
  const requirement = {
    ...row,
    text: 'It holds.',
    axis: null,
    judges: 'gateway' as const,
    unchecked: null,
    inEachRegion,
  };
  return captureCheck({ ...row, value: null, requirement, inEachRegion }, on, judgement);
}

/** Runs and records scenarios. Returns the path of the recording and the outcomes. */
export async function record(
  target: Target,
  scenarios: readonly Scenario[],
): Promise<{
  readonly path: string;
  readonly outcomes: readonly Outcome[];
  readonly traffic: Traffic;
}> {
  const { path, came, traffic } = await recordRun(target, (run) =>
    Promise.all(scenarios.map((one) => outcomeOf(run, one))),
  );
  return { path, outcomes: came, traffic };
}

/** Records a run to a file. */
export async function recordRun<Came>(
  target: Target,
  flow: (run: LiveRun) => Promise<Came>,
  options: Pick<LiveRunOptions, 'settle' | 'generations'> = {},
): Promise<{ readonly path: string; readonly came: Came; readonly traffic: Traffic }> {
  const folder = temporaryFolder();
  const path = join(folder, 'run.jsonl');
  const [seed, runId] = [11, 'run-of-the-test'];
  const recorder = beginRecording(path, {
    suiteVersion: '0.0.0',
    catalogue: 'none',
    startedAt: new Date(0).toISOString(),
    seed,
    runId,
    strict: false,
    filters: [],
    target,
  });
  const stop = new AbortController().signal;
  const traffic = new Traffic();
  const run = new LiveRun({ ...options, target, seed, runId, stop, traffic, recorder });
  const came = await flow(run);
  recorder.close();
  return { path, came, traffic };
}

/** Replays a recording, without the target. */
export function replay(path: string, traffic = new Traffic()): ReplayRun {
  const { header, exchanges } = readRecording(path);
  const { target, seed, runId } = header;
  return new ReplayRun({
    target,
    seed,
    runId,
    exchanges,
    traffic,
  });
}

/** Starts a target that answers every request with its number, after varying delays. */
export async function slowTarget(delays: readonly number[]) {
  let asked = 0;
  const server = await serveHttp(async (_, answer) => {
    const number = asked++;
    await delay(delays[number % delays.length]);
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ number }));
  });
  const target = withDefaults(
    {
      name: 'slow',
      regions: [{ name: 'here', baseUrl: server.url }],
      keys: { owner: 'canary-owner-key', otherUser: 'canary-other-key' },
      models: [{ id: 'm', protocols: ['responses'] }],
      limits: { concurrency: 8, requestsPerSecond: null, patienceMs: 300 },
    },
    'slow',
  );
  return { target, requests: () => server.requests() };
}

/** A scenario of a plan that sends so many requests, for tests. */
export const plannedScenario = (name: string, requests: number): PlannedScenario => ({
  name,
  requests,
  expectedRequests: requests,
  generations: 0,
  expectedGenerations: 0,
  waitingRequests: 0,
  outputTokens: 0,
  chain: requests,
  obstacle: null,
});
