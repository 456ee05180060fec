import { setTimeout as delay } from 'node:timers/promises';
import type {
  Cause,
  Exchange,
  ExchangeFailure,
  ExchangeId,
  HeldBack,
  HeldBy,
} from '../core/index.ts';
import {
  asksToGenerate,
  buildRequest,
  type Call,
  type CallOptions,
  type SocketSession,
  secretsOf,
} from '../protocols/index.ts';
import { keepSecrets, routesOf, type Target } from '../targets/index.ts';
import {
  afterReset,
  Connections,
  Limiter,
  longestStallSince,
  mostConnections,
  neverOpened,
  notBegun,
  openSocket,
  Spool,
  send,
  startClock,
  unsent,
  type WireOptions,
  type WireRequest,
  watchEventLoop,
} from '../wire/index.ts';
import {
  Attempts,
  asksAgain,
  GatewayExits,
  isSettled,
  LockoutWatch,
  mostAsksFor,
  mostFurtherAttempts,
  type Settle,
} from './again/index.ts';
import { besideLoad, type Load, LoadOfRun } from './load/load.ts';
import { exchangesOf, type Outcome } from './outcome.ts';
import type { Recorder } from './recordings/recorder.ts';
import { identityOf } from './request-id.ts';
import { mostGenerations, type Scenario, withPrerequisites } from './scenario.ts';
import { Bounds } from './schedule/bounds.ts';
import { type Chains, timed } from './schedule/critical-path.ts';
import { hostileIn } from './schedule/hostile.ts';
import { Phases } from './schedule/phases.ts';
import { Priorities } from './schedule/priority.ts';
import type { LateAnswer, RequestsLeft, Sequence, TargetRun } from './session.ts';
import type { Traffic } from './traffic.ts';

export interface LiveRunOptions {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly sequence?: Sequence | undefined;
  /** Requests that are retried at the end. Default: those that the gateway put off. */
  readonly settle?: Settle | undefined;
  /** Connections are kept between requests. Default: each request has one of its own. */
  readonly keepsConnections?: boolean;
  /** Maximum number of requests. Default: as many as the scenarios ask for. */
  readonly requests?: number | undefined;
  /**
   * Maximum number of generations. Default: those that are planned, and one retry of each that is put off.
   */
  readonly generations?: number | undefined;
  /** Nothing is asked for once more at a price. */
  readonly onlyPlanned?: boolean | undefined;
  /** Ordinary generations that are in flight beside it. */
  readonly load?: Load | undefined;
  /** Aborted when the user interrupts: nothing further is sent. */
  readonly stop: AbortSignal;
  readonly traffic: Traffic;
  readonly recorder: Recorder;
}

/** Bytes in a file of answers that nobody asks for any more, before another one is begun. */
const mostSpooled = 64 * 1024 * 1024;

/** A target that is really called. */
export class LiveRun implements TargetRun {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly sequence: Sequence;
  readonly outcomes = new Map<Scenario, Promise<Outcome>>();
  readonly phases = new Phases();
  readonly sentinels: Exchange[] = [];
  readonly undeclared = new Set<string>();
  readonly lags = new Map<Scenario, readonly LateAnswer[]>();
  readonly load: LoadOfRun | undefined;
  scenarios = 0;
  scenariosDone = 0;
  readonly #options: LiveRunOptions;
  readonly #limiter: Limiter;
  readonly #wire: WireOptions;
  readonly #chains: Chains;
  readonly #bounds: Bounds;
  #spool = new Spool();
  readonly #lockouts: LockoutWatch;
  readonly #connections: Connections | null;
  readonly #exits: GatewayExits;
  /** Generations at most, by what was planned. */
  #announced = 0;
  /** Scenarios that are run once more, and the generations that they ask for at most. */
  readonly #again = new Set<Scenario>();
  #againCost = 0;
  readonly #priorities = new Priorities();
  #moved: () => void = () => {};
  /** The scenarios that have not ended, and what they may send. */
  readonly #planned = new Set<Scenario>();
  readonly #left = { ordinary: 0, hostile: 0, generations: 0 };
  readonly #attempts = new Attempts();
  /** Scenarios with a request that no attempt got an answer to. */
  readonly #unanswered = new Set<Scenario>();
  /** Generations that were asked for again because a connection broke. */
  #repeated = 0;
  #asksLeft = Number.POSITIVE_INFINITY;

  constructor(options: LiveRunOptions) {
    const { target } = options;
    this.target = target;
    this.#bounds = new Bounds(target);
    this.seed = options.seed;
    this.runId = options.runId;
    this.sequence = options.sequence ?? {};
    this.#options = options;
    this.#connections = options.keepsConnections === true ? new Connections() : null;
    this.#chains = options.traffic.chains();
    this.#wire = {
      clock: startClock(),
      timeoutMs: target.limits.timeoutMs,
      secrets: secretsOf(target),
      routes: routesOf(target),
      stop: options.stop,
    };
    watchEventLoop();
    keepSecrets(target, this.#wire.secrets);
    const { traffic, recorder } = options;
    const { patienceMs } = target.limits;
    this.#exits = new GatewayExits({ patienceMs, stop: options.stop });
    this.#lockouts = new LockoutWatch({
      limits: besideLoad(target.limits, options.load),
      stop: options.stop,
      mayGenerate: () =>
        options.onlyPlanned !== true &&
        traffic.generations < (options.generations ?? this.#announced),
      now: () => this.#wire.clock.now(),
      onMore: () => this.#limiter.look(),
      send: async (id, call, how) => {
        const end = traffic.begin();
        const answer = await send(this.#request(id, call, how), this.#wireNow());
        end(answer, null);
        recorder.add(target.name, answer);
        this.sentinels.push(answer);
        return answer;
      },
    });
    this.load = options.load === undefined ? undefined : this.#loadOf(options.load);
    // More connections than this machine can open would fail here, not at the gateway.
    const concurrency = Math.min(target.limits.concurrency, mostConnections());
    this.#limiter = new Limiter({
      concurrency,
      pacing: this.#lockouts,
      stop: options.stop,
      onHeld: (by, ms) =>
        traffic.heldBack({ by, ms, ...limitOf(by, { ...target.limits, concurrency }) }),
    });
  }

  prioritise(asked: Iterable<Scenario>): void {
    const scenarios = [...asked];
    // A bound on all requests includes those that wait for a store to show a change.
    if (this.#options.requests === undefined) {
      const asks = mostAsksFor(withPrerequisites(scenarios), this.target);
      this.#asksLeft = asks + (Number.isFinite(this.#asksLeft) ? this.#asksLeft : 0);
    }
    let requests = 0;
    for (const scenario of withPrerequisites(scenarios)) {
      const cost = scenario.costAt(this.target);
      requests += cost.requests;
      this.#announced += mostGenerations(cost);
      this.#planned.add(scenario);
      this.#count(scenario, 1);
    }
    this.#attempts.allow(mostFurtherAttempts({ requests }));
    // A shuffled run is to have no other order than the drawn one.
    if (this.sequence.shuffle !== true) this.#priorities.longestFirst(scenarios, this.target);
    this.load?.look();
  }

  #loadOf(load: Load): LoadOfRun {
    const { stop, traffic, recorder } = this.#options;
    return new LoadOfRun({
      ...load,
      target: this.target,
      seed: this.seed,
      stop,
      send: async (id, call, how) => {
        const request = this.#request(id, call, how);
        const exchange = await this.#kept(await send(request, this.#wireNow()));
        recorder.add(this.target.name, exchange);
        return exchange;
      },
      progress: () => {
        // Scenarios that have ended count with the requests that they sent: most send fewer than they may.
        const { ordinary, hostile } = this.#left;
        return traffic.requests / Math.max(1, traffic.requests + ordinary + hostile);
      },
      heldUntil: (now) => this.#lockouts.heldUntil(now, false),
      isGivenUp: () => this.givenUp !== null,
    });
  }

  /** Nothing more is sent. */
  end(): void {
    this.#connections?.close();
  }

  async forget(scenario: Scenario): Promise<void> {
    const outcome = await this.outcomes.get(scenario);
    this.outcomes.delete(scenario);
    this.lags.delete(scenario);
    this.undeclared.delete(scenario.name);
    this.#chains.forget(scenario);
    this.#priorities.forget(scenario);
    for (const exchange of outcome === undefined ? [] : exchangesOf(outcome)) {
      this.#bounds.gone(exchange);
    }
    // A file becomes no shorter: it goes with the last body in it.
    if (this.#spool.bytes > mostSpooled) this.#spool = new Spool();
  }

  onMoved(told: () => void): void {
    this.#moved = told;
  }

  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange> {
    const request = this.#request(id, call, options);
    const { now } = this.#wire.clock;
    const link = this.#chains.link(scenario, id.lane, 'request');
    const hostile = this.#isHostile(scenario, call, options);
    const task = async (release: () => void): Promise<Exchange> => {
      const withheld = await this.#withheld(request, scenario);
      if (withheld !== null) return withheld;
      const end = this.#begin(scenario);
      const at = performance.now();
      const started = now();
      let freed: number | null = null;
      let endBeside = (): void => {};
      const { onFirstEvent } = options;
      const watched: WireRequest =
        onFirstEvent === undefined
          ? request
          : {
              ...request,
              onFirstEvent: (data) => {
                // The scenario goes on while this stream does: with one slot it would wait for itself.
                release();
                freed = now();
                link.waited(started, freed);
                endBeside = this.#priorities.goesOnBeside(scenario);
                onFirstEvent(data);
              },
            };
      const sending = this.#connections?.send(watched, this.#wireNow());
      const exchange = await this.#kept(await (sending ?? send(watched, this.#wireNow())));
      link.waited(exchange.times.started, exchange.times.ended);
      endBeside();
      return end(await this.#lockouts.seen(exchange, { call, options, hostile, at }), freed);
    };
    return this.#limiter.run(this.#priorities.of(scenario, link), task, { hostile });
  }

  open(
    id: ExchangeId,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession> {
    const request = this.#request(id, call, options);
    const { now } = this.#wire.clock;
    const { lane } = id;
    const link = this.#chains.link(scenario, lane, 'request');
    // Its slot is free again once the connection stands, for the same reason.
    const hostile = this.#isHostile(scenario, call, options);
    const task = async (): Promise<SocketSession> => {
      const withheld = await this.#withheld(request, scenario);
      if (withheld !== null) return neverOpened(withheld);
      const end = this.#begin(scenario);
      const at = performance.now();
      const started = now();
      const session = await openSocket(request, {
        ...this.#wireNow(),
        maxBodyBytes: this.#bounds.maxSocketBytes,
      });
      const freed = now();
      link.waited(started, freed);
      const endBeside = this.#priorities.goesOnBeside(scenario);
      const waiting = <T>(kind: 'turn' | 'close', wait: () => Promise<T>): Promise<T> =>
        timed(this.#chains.link(scenario, lane, kind), now, wait);
      let ended: Promise<Exchange> | undefined;
      const finish = (): Promise<Exchange> => {
        ended ??= waiting('close', async () => this.#kept(await session.exchange())).then(
          async (exchange) => {
            endBeside();
            return end(await this.#lockouts.seen(exchange, { call, options, hostile, at }), freed);
          },
        );
        return ended;
      };
      // A refused upgrade is looked at, for a lockout, before anything else is sent.
      if (!session.opened) await finish();
      return {
        opened: session.opened,
        send: (frame) => session.send(frame),
        receive: (until) => waiting('turn', () => session.receive(until)),
        ping: () => waiting('close', () => session.ping()),
        close: () => waiting('close', () => session.close()),
        terminate: () => session.terminate(),
        exchange: finish,
      };
    };
    return this.#limiter.run(this.#priorities.of(scenario, link), task, { hostile });
  }

  #count(scenario: Scenario, sign: 1 | -1): void {
    const kind = scenario.hostile === null ? 'ordinary' : 'hostile';
    const cost = scenario.costAt(this.target);
    this.#left[kind] += sign * cost.requests;
    this.#left.generations += sign * mostGenerations(cost);
  }

  #isHostile(scenario: Scenario, call: Call, options: CallOptions): boolean {
    return scenario.hostile === 'input' || hostileIn(call, options) !== null;
  }

  settles(cause: Cause, scenarios: readonly Scenario[]): boolean {
    const { stop, settle = 'put-off', traffic, generations = 2 * this.#announced } = this.#options;
    if (stop.aborted || this.givenUp !== null) return false;
    const all = [...withPrerequisites(scenarios)];
    const isBroken = cause === 'unreachable' && all.some((one) => this.#unanswered.has(one));
    if (!isSettled(isBroken ? 'broken-connection' : cause, settle)) return false;
    const more = all.filter((one) => !this.#again.has(one));
    const cost = more.reduce((sum, one) => sum + mostGenerations(one.costAt(this.target)), 0);
    if (traffic.generations + this.#againCost + cost > generations) return false;
    if (this.#options.onlyPlanned === true && cost > 0) return false;
    for (const one of more) this.#again.add(one);
    this.#againCost += cost;
    this.#lockouts.beCareful();
    return true;
  }

  /** Reason why nothing further is sent, or null. */
  get givenUp(): ExchangeFailure | null {
    return this.#lockouts.givenUp ?? this.#exits.givenUp ?? this.#bounds.givenUp;
  }

  get heldBy(): HeldBy | null {
    return this.#limiter.heldBy;
  }

  now(): number {
    return this.#wire.clock.now();
  }

  mayAskAgain(_id: ExchangeId, before: number | null): boolean {
    return (before === null || this.now() < before) && this.#asksLeft-- > 0;
  }

  mayAttempt({ attempt }: ExchangeId, call: Call): boolean {
    if (this.#options.stop.aborted || this.givenUp !== null) return false;
    if (asksToGenerate(call) && !this.#mayGenerateAgain()) return false;
    return this.#attempts.take(attempt);
  }

  attempted(scenario: Scenario, isAnswered: boolean): void {
    this.#attempts.ended(isAnswered);
    if (!isAnswered) this.#unanswered.add(scenario);
  }

  /** Takes one generation of those that the plan leaves beyond what its scenarios may still ask for. */
  #mayGenerateAgain(): boolean {
    const { traffic, onlyPlanned, generations = 2 * this.#announced } = this.#options;
    if (onlyPlanned === true) return false;
    if (traffic.generations + this.#left.generations + this.#repeated >= generations) return false;
    this.#repeated++;
    return true;
  }

  async pause(milliseconds: number, scenario: Scenario, lane: string): Promise<void> {
    const { now } = this.#wire.clock;
    await timed(this.#chains.link(scenario, lane, 'pause'), now, () =>
      delay(milliseconds, undefined, { signal: this.#options.stop }).catch(() => undefined),
    );
  }

  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void {
    this.#chains.deferred(scenario, behind, by);
  }

  began(scenario: Scenario): void {
    if (scenario.phase !== 'ordinary') this.#chains.phaseReached(scenario);
  }

  scenarioStarted(): void {
    this.scenarios++;
    this.#moved();
  }

  get requestsLeft(): RequestsLeft {
    return this.#left;
  }

  scenarioEnded(scenario: Scenario): void {
    this.scenariosDone++;
    if (this.#planned.delete(scenario)) this.#count(scenario, -1);
    this.#moved();
  }

  flaw(): null {
    return null;
  }

  #request(id: ExchangeId, call: Call, options: CallOptions): WireRequest {
    const identity = identityOf(this, id);
    return buildRequest(call, options, this.target, identity);
  }

  #wireNow(): WireOptions {
    return { ...this.#wire, ...this.#bounds.wire };
  }

  /** Before anybody looks at it: it is the same exchange for all. */
  async #kept(sent: Exchange): Promise<Exchange> {
    const exchange = await afterReset(sent, this.#wire.routes);
    this.#bounds.kept(exchange);
    return this.#spool.keep(exchange);
  }

  /** The record of a request that is not sent, because that would lead nowhere; null: send it. */
  async #withheld(request: WireRequest, scenario: Scenario): Promise<Exchange | null> {
    const { stop, recorder } = this.#options;
    const away = await this.#exits.at(request.url);
    const endless = asksAgain(scenario) ? null : (this.#exits.givenUp ?? this.#bounds.givenUp);
    const givenUp = this.#lockouts.givenUp ?? endless;
    const failure = stop.aborted ? notBegun(stop) : (away ?? givenUp ?? this.#overBound);
    if (failure === null) return null;
    const exchange = unsent(request, this.#wire, failure);
    recorder.add(this.target.name, exchange);
    return exchange;
  }

  get #overBound(): ExchangeFailure | null {
    const { traffic, requests = Number.POSITIVE_INFINITY } = this.#options;
    if (traffic.requests < requests) return null;
    const message = `not sent: ${requests} requests were sent before, and no more may be`;
    return { kind: 'interrupted', message };
  }

  /** @returns to be called with the exchange when it has ended; gives it back */
  #begin(scenario: Scenario): (exchange: Exchange, freed: number | null) => Exchange {
    const { traffic, recorder } = this.#options;
    const end = traffic.begin();
    const since = performance.now();
    this.#moved();
    this.load?.beside();
    return (sent, freed) => {
      const stalledMs = longestStallSince(since);
      const exchange = stalledMs === 0 ? sent : { ...sent, times: { ...sent.times, stalledMs } };
      end(exchange, freed);
      this.#bounds.seen(exchange);
      this.#exits.seen(exchange);
      this.#priorities.saw(scenario, exchange);
      recorder.add(this.target.name, exchange);
      this.#moved();
      return exchange;
    };
  }
}

/** The number in the target file that holds back. */
function limitOf(by: HeldBy, limits: Target['limits']): Pick<HeldBack, 'limit'> {
  const given: Readonly<Partial<Record<HeldBy, number | null>>> = {
    concurrency: limits.concurrency,
    'requests-per-second': limits.requestsPerSecond,
    'hostile-per-second': limits.hostilePerSecond,
  };
  const limit = given[by] ?? null;
  return limit === null ? {} : { limit };
}
