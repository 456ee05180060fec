import { onTestFinished } from 'vitest';
import { type ReferenceOptions, startReference } from '../reference/index.ts';
import { withDefaults } from '../target/defaults.ts';
import { describeReference } from '../target/reference.ts';
import type { Limits, Target } from '../target/target.ts';
import type { Exchange } from '../wire/exchange.ts';
import { LiveRun } from './live-run.ts';
import { Recorder } from './recorder.ts';
import { Traffic } from './traffic.ts';

/** For the tests of this room: targets, and runs at them without Vitest in between. */

/** The embedded reference, closed when the test is over. */
export async function reference(
  options: ReferenceOptions = {},
): Promise<{ readonly target: Target; requestCount(): number }> {
  const gateway = await startReference(options);
  onTestFinished(() => gateway.close());
  return {
    target: describeReference(gateway, undefined),
    requestCount: () => gateway.requestCount(),
  };
}

/** A target of one region and one model that declares every protocol. */
export function targetAt(baseUrl: string, limits: Partial<Limits> = {}): Target {
  return withDefaults(
    {
      name: 'test',
      regions: [{ name: 'here', baseUrl }],
      keys: { owner: 'canary-owner' },
      models: [{ id: 'm', protocols: ['responses', 'chat', 'vendorA-messages', 'vendorB'] }],
      limits: { concurrency: 64, requestsPerSecond: null, timeoutMs: 5_000, ...limits },
    },
    'test',
  );
}

/** A run at a target, as the worker has it. */
export function liveRun(
  target: Target,
  {
    seed = 1,
    runId = 'run',
    stop = new AbortController().signal,
  }: { seed?: number; runId?: string; stop?: AbortSignal } = {},
): { readonly run: LiveRun; readonly traffic: Traffic } {
  const traffic = new Traffic();
  const recorder = new Recorder(null);
  return {
    traffic,
    run: new LiveRun({ target, seed, runId, stop, traffic, recorder, moved: () => undefined }),
  };
}

/** An exchange that was answered, for what looks at no more than that. */
export function answered(body: string, fields: Partial<Exchange> = {}): Exchange {
  const bytes = Buffer.from(body);
  return {
    key: 'test#main/0',
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
