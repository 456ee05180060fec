import { setTimeout as delay } from 'node:timers/promises';
import type { Call, CallOptions, SocketSession } from '../clients/call.ts';
import { generates } from '../clients/generates.ts';
import { buildRequest } from '../clients/request.ts';
import type { Target } from '../target/target.ts';
import type { Exchange } from '../wire/exchange.ts';
import { Limiter } from '../wire/limiter.ts';
import { openSocket } from '../wire/socket.ts';
import { send } from '../wire/transport.ts';
import type { Outcome } from './outcome.ts';
import { chainHeight } from './priority.ts';
import type { Recorder } from './recorder.ts';
import { seedOf } from './seed.ts';
import type { Scenario } from './scenario.ts';
import type { TargetRun } from './session.ts';
import type { Traffic } from './traffic.ts';

interface LiveRunOptions {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  /** Aborted when the user interrupts: nothing further is sent. */
  readonly stop: AbortSignal;
  readonly traffic: Traffic;
  readonly recorder: Recorder;
  /** Called when something happened that a progress display may want to show. */
  readonly moved: () => void;
}

/** A target that is really called. */
export class LiveRun implements TargetRun {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly outcomes = new Map<Scenario<never>, Promise<Outcome>>();
  scenarios = 0;
  scenariosDone = 0;
  readonly #options: LiveRunOptions;
  readonly #limiter: Limiter;
  /** Chains of each scenario: latency that had passed when each exchange ended. */
  readonly #ended = new Map<Scenario, { at: number; chain: number }[]>();
  #heights: ReadonlyMap<Scenario, number> = new Map();

  constructor(options: LiveRunOptions) {
    const { target, seed, runId } = options;
    this.target = target;
    this.seed = seed;
    this.runId = runId;
    this.#options = options;
    this.#limiter = new Limiter({
      concurrency: target.limits.concurrency,
      requestsPerSecond: target.limits.requestsPerSecond,
    });
  }

  /** Lets the scenarios that most requests wait for go first. */
  prioritise(heights: ReadonlyMap<Scenario, number>): void {
    this.#heights = heights;
  }

  async send(
    key: string,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<Exchange> {
    const asked = now();
    const request = this.#request(key, call, options);
    return this.#limiter.run(this.#heights.get(scenario) ?? 0, async (release) => {
      this.#options.traffic.sent(generates(call));
      const exchange = await send(request, { ...this.#wire(), release });
      this.#settle(scenario, exchange, asked);
      return exchange;
    });
  }

  async open(
    key: string,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession> {
    const request = this.#request(key, call, options);
  }

  async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#options.stop }).catch(() => undefined);
  }

  scenarioStarted(): void {
    this.scenarios++;
    this.#options.moved();
  }

  scenarioEnded(): void {
    this.scenariosDone++;
    this.#options.moved();
  }
}
