import { isDeepStrictEqual } from 'node:util';
import { type Exchange, type ExchangeId, formatId, formatSender } from '../../core/index.ts';
import { identityOf } from '../../drawn/index.ts';
import {
  buildRequest,
  type Call,
  type CallOptions,
  type SocketSession,
  secretsOf,
} from '../../protocols/index.ts';
import type { Load } from '../../recordings/index.ts';
import type { Target } from '../../targets/index.ts';
import {
  EventReader,
  type ServerSentEvent,
  unsent,
  type WireOptions,
  type WireRequest,
  wasWithheld,
} from '../../wire/index.ts';
import { isAskedAgain, isSentinel, isSettled } from '../again/index.ts';
import { isLoad } from '../load/load.ts';
import { RunMemo } from '../run-memo.ts';
import { type Scenario, withPrerequisites } from '../scenario.ts';
import { type Chains, timed } from '../schedule/critical-path.ts';
import type { LoadBeside, Retrying, Sequence, TargetRun } from '../session.ts';
import { Traffic } from '../traffic.ts';
import { replaySocket } from './replay-socket.ts';
import { differenceFrom, StaleRecording } from './stale-recording.ts';
import { VirtualClock } from './virtual-clock.ts';

interface ReplayRunOptions {
  /** As the recording has it, with stand-ins for its keys. */
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly exchanges: readonly Exchange[];
  readonly traffic: Traffic;
  /** Load that was in flight during the run. Its exchanges are among `exchanges`. */
  readonly load?: Load | undefined;
  /** True if a request that was not recorded stays unanswered, and is no flaw. */
  readonly forgiving?: boolean;
}

/** Replays a recorded run: answers come from the recording, and nothing is sent. */
export class ReplayRun extends RunMemo implements TargetRun {
  /** Empty, because the recording has the order. */
  readonly sequence: Sequence = {};
  readonly retries: Retrying = {
    may: (id) => this.#recorded.has(formatId(id)),
    attempted() {},
    settles: (cause, scenarios) =>
      isSettled(cause, 'transient') &&
      [...withPrerequisites(scenarios)].some(({ name }) => this.#again.has(name)),
  };
  readonly #options: ReplayRunOptions;
  readonly #clock = new VirtualClock();
  /** Never used to send. */
  readonly #wire: WireOptions;
  readonly #chains: Chains;
  /** Exchanges that no scenario has requested yet, by id. */
  readonly #recorded: Map<string, Exchange>;
  /** Names of the scenarios that ran a second time. */
  readonly #again: ReadonlySet<string>;
  readonly #stale = new Map<Scenario, StaleRecording>();
  #strays = 0;
  #missing = 0;

  /** Replays the answers of a target. Requests that were never sent stay unanswered. */
  static forgiving({ target, seed, runId }: TargetRun, exchanges: readonly Exchange[]): ReplayRun {
    const traffic = new Traffic();
    return new ReplayRun({ target, seed, runId, exchanges, traffic, forgiving: true });
  }

  constructor(options: ReplayRunOptions) {
    super(options);
    this.#options = options;
    this.#chains = options.traffic.chains();
    this.#wire = {
      clock: this.#clock,
      timeoutMs: options.target.limits.timeoutMs,
      secrets: secretsOf(options.target),
    };
    for (const exchange of options.exchanges.filter(isSentinel)) this.#begin()(exchange, null);
    this.#recorded = new Map(
      [...this.recorded, ...this.recordedAgain]
        // No scenario sends what the gateway asked its providers.
        .filter(({ id }) => id.request === null)
        .map((exchange) => [formatId(exchange.id), exchange]),
    );
    this.#again = new Set(this.recordedAgain.map(({ id }) => formatSender(id)));
  }

  get recorded(): readonly Exchange[] {
    return this.#options.exchanges.filter(
      (one) => !isSentinel(one) && !isAskedAgain(one) && !isLoad(one),
    );
  }

  get sentinels(): readonly Exchange[] {
    return this.#options.exchanges.filter(isSentinel);
  }

  get load(): LoadBeside | undefined {
    const { load, exchanges } = this.#options;
    if (load === undefined) return undefined;
    const end = async (): Promise<readonly Exchange[]> => exchanges.filter(isLoad);
    return { ...load, begun: Promise.resolve(), end };
  }

  get recordedAgain(): readonly Exchange[] {
    return this.#options.exchanges.filter(isAskedAgain);
  }

  /** Ids of the recorded exchanges that no scenario has requested. */
  get unasked(): readonly string[] {
    return [...this.#recorded.keys()];
  }

  /** Number of requests that differ from the recording, or that it lacks. */
  get strays(): number {
    return this.#strays;
  }

  get missing(): number {
    return this.#missing;
  }

  prioritise(): void {}

  deferred(): void {}

  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange> {
    const request = this.#request(id, call, options);
    const recorded = this.#take(request, scenario);
    if (recorded === null) return Promise.resolve(this.#unanswered(request));
    if (wasWithheld(recorded)) return this.#clock.at(recorded.times.ended).then(() => recorded);
    return this.#deliver(recorded, scenario, options);
  }

  open(
    id: ExchangeId,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession> {
    const request = this.#request(id, call, options);
    const recorded = this.#take(request, scenario);
    const socket = replaySocket({
      recorded: recorded ?? this.#unanswered(request),
      clock: this.#clock,
      secrets: this.#wire.secrets,
      stale: (difference) => this.#setStale(scenario, id, difference),
    });
    if (recorded === null) return Promise.resolve(socket);
    if (wasWithheld(recorded)) return this.#clock.at(recorded.times.ended).then(() => socket);
    return this.#play(socket, recorded, scenario);
  }

  now(): number {
    return this.#clock.now();
  }

  async pause(milliseconds: number, scenario: Scenario, lane: string): Promise<void> {
    const now = (): number => this.#clock.now();
    await timed(this.#chains.link(scenario, lane, 'pause'), now, () =>
      this.#clock.at(now() + milliseconds),
    );
  }

  began(): void {}

  flaw(scenario: Scenario): Error | null {
    if (this.#options.forgiving === true) return null;
    return this.#stale.get(scenario) ?? null;
  }

  async #deliver(
    recorded: Exchange,
    scenario: Scenario,
    { onFirstEvent, cut }: CallOptions,
  ): Promise<Exchange> {
    const { started, ended } = recorded.times;
    const link = this.#chains.link(scenario, recorded.id.lane, 'request');
    const end = this.#begin();
    let freed: number | null = null;
    if (onFirstEvent !== undefined && cut === undefined) {
      const first = firstEventOf(recorded);
      if (first !== undefined) {
        await this.#clock.at(first.at);
        freed = first.at;
        link.waited(started, freed);
        onFirstEvent(first.data);
      }
    }
    await this.#clock.at(ended);
    link.waited(started, ended);
    return end(recorded, freed);
  }

  async #play(
    socket: SocketSession,
    recorded: Exchange,
    scenario: Scenario,
  ): Promise<SocketSession> {
    const { started, headers, ended } = recorded.times;
    const lane = recorded.id.lane;
    const link = this.#chains.link(scenario, lane, 'request');
    const end = this.#begin();
    const opened = socket.opened ? (headers ?? ended) : ended;
    await this.#clock.at(opened);
    link.waited(started, this.#clock.now());
    const waiting = <T>(kind: 'turn' | 'close', wait: () => Promise<T>): Promise<T> =>
      timed(this.#chains.link(scenario, lane, kind), () => this.#clock.now(), wait);
    let ending: Promise<Exchange> | undefined;
    return {
      ...socket,
      receive: (until) => waiting('turn', () => socket.receive(until)),
      close: () => waiting('close', () => socket.close()),
      exchange() {
        ending ??= waiting('close', () => socket.exchange()).then((one) => end(one, opened));
        return ending;
      },
    };
  }

  #request(id: ExchangeId, call: Call, options: CallOptions): WireRequest {
    const identity = identityOf(this, id);
    return buildRequest(call, options, this.target, identity);
  }

  /**
   * Returns the recorded exchange of a request, under the labels of the present suite, or null if the recording
   * lacks it or has another request.
   */
  #take(request: WireRequest, scenario: Scenario): Exchange | null {
    const { id, about } = request;
    const recorded = this.#recorded.get(formatId(id));
    const difference =
      recorded === undefined
        ? `the suite sends ${request.method} ${new URL(request.url).pathname}, which was not recorded`
        : differenceFrom(recorded, request, this.#wire.secrets);
    this.#recorded.delete(formatId(id));
    if (recorded !== undefined && difference === null) {
      // Values that were read from an exchange are kept with its object.
      return isDeepStrictEqual(recorded.about, about) ? recorded : { ...recorded, about };
    }
    // Bounds on generations may have limited the second pass of the recorded run.
    if (recorded === undefined && isAskedAgain({ id })) return null;
    if (recorded === undefined) this.#missing++;
    this.#setStale(scenario, id, difference ?? '');
    return null;
  }

  /** Returns a stand-in for a missing answer. The result of the scenario is not used. */
  #unanswered(request: WireRequest): Exchange {
    return unsent(request, this.#wire);
  }

  #setStale(scenario: Scenario, id: ExchangeId, difference: string): void {
    this.#strays++;
    if (!this.#stale.has(scenario)) this.#stale.set(scenario, new StaleRecording(id, difference));
  }

  /** @returns a function to be called with the ended exchange, which it returns */
  #begin(): (exchange: Exchange, freed: number | null) => Exchange {
    const { traffic } = this.#options;
    const end = traffic.begin();
    this.moved();
    return (exchange, freed) => {
      end(exchange, freed);
      this.moved();
      return exchange;
    };
  }
}

function firstEventOf({ response }: Exchange): ServerSentEvent | undefined {
  if (response === null) return undefined;
  const reader = new EventReader();
  let start = 0;
  for (const { at, end } of response.chunks) {
    reader.read(response.body.subarray(start, end), at, () => true);
    if (reader.events.length > 0) break;
    start = end;
  }
  return reader.events[0];
}
