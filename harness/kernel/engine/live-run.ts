import { setTimeout as delay } from 'node:timers/promises';
import {
  type Exchange,
  type ExchangeFailure,
  type ExchangeId,
  type HeldBack,
  type HeldBy,
  textAt,
} from '../core/index.ts';
import { identityOf } from '../drawn/index.ts';
import {
  asksToGenerate,
  buildRequest,
  type Call,
  type CallOptions,
  type SocketSession,
  secretsOf,
} from '../protocols/index.ts';
import type { Load, Recorder } from '../recordings/index.ts';
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
import { Retries, type RetryLimits } from './again/index.ts';
import type { CompanionMeans } from './companions.ts';
import { besideLoad, LoadOfRun } from './load/load.ts';
import { exchangesOf } from './outcome.ts';
import { RunMemo } from './run-memo.ts';
import type { Scenario } from './scenario.ts';
import { type Chains, timed } from './schedule/critical-path.ts';
import { hostileKind } from './schedule/hostile.ts';
import { MemoryBounds } from './schedule/memory-bounds.ts';
import { Priorities } from './schedule/priority.ts';
import { type Payment, Purse } from './schedule/purse.ts';
import type { Sequence, TargetRun } from './session.ts';
import type { Traffic } from './traffic.ts';

export interface LiveRunOptions extends RetryLimits {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly sequence?: Sequence | undefined;
  /** Keeps connections between requests. Default: each request opens one. */
  readonly keepsConnections?: boolean;
  /** Ordinary generations that are in flight during the run. */
  readonly load?: Load | undefined;
  /** Aborted when the user interrupts the run: nothing further is sent. */
  readonly stop: AbortSignal;
  readonly traffic: Traffic;
  readonly recorder: Recorder;
}

interface Slot {
  readonly request: WireRequest;
  readonly link: ReturnType<Chains['link']>;
  /** Null if nothing bounds the generations. */
  readonly payment: Payment | null;
  /** Frees the slot before the exchange has ended. */
  release(): void;
  /** Records the end of an exchange. @param freed time at which its slot was freed early */
  ended(exchange: Exchange, freed: number | null): Promise<Exchange>;
}

/** Bytes in a spool file with forgotten bodies, after which a new file is begun. */
const mostSpooled = 64 * 1024 * 1024;

export class LiveRun extends RunMemo implements TargetRun {
  readonly sequence: Sequence;
  readonly sentinels: Exchange[] = [];
  readonly retries: Retries;
  readonly load: LoadOfRun | undefined;
  readonly #options: LiveRunOptions;
  readonly #limiter: Limiter;
  readonly #wire: WireOptions;
  readonly #chains: Chains;
  readonly #bounds: MemoryBounds;
  #spool = new Spool();
  readonly #connections: Connections | null;
  readonly #priorities = new Priorities();
  readonly #purse: Purse | null;

  constructor(options: LiveRunOptions) {
    super(options);
    const { target } = options;
    this.#bounds = new MemoryBounds(target);
    this.sequence = options.sequence ?? {};
    this.#options = options;
    const { generations, traffic: counted } = options;
    this.#purse = generations === undefined ? null : new Purse(generations, counted);
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
    this.retries = new Retries({
      ...options,
      limits: besideLoad(target.limits, options.load),
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
      pacing: this.retries.lockouts,
      stop: options.stop,
      onHeld: (by, ms) =>
        traffic.heldBack({ by, ms, ...limitOf(by, { ...target.limits, concurrency }) }),
    });
  }

  prioritise(asked: Iterable<Scenario>): void {
    const scenarios = [...asked];
    this.retries.plan(scenarios);
    // A shuffled run keeps the drawn order.
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
        const { ordinary, hostile } = this.retries.requestsLeft;
        return traffic.requests / Math.max(1, traffic.requests + ordinary + hostile);
      },
      heldUntil: (now) => this.retries.lockouts.heldUntil(now, false),
      isGivenUp: () => this.retries.givenUp !== null,
    });
  }

  /** Means to record what others send to Touchstone during this run. */
  get companionMeans(): CompanionMeans {
    const { clock, secrets } = this.#wire;
    const { recorder } = this.#options;
    return { clock, secrets, record: (exchange) => recorder.add(this.target.name, exchange) };
  }

  /** Closes the kept connections. To be called after the last request. */
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
    // A file never shrinks: it is removed with the last body in it.
    if (this.#spool.bytes > mostSpooled) this.#spool = new Spool();
  }

  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange> {
    const { now } = this.#wire.clock;
    const flow = async ({ request, link, release, ended }: Slot): Promise<Exchange> => {
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
                // The scenario continues during this stream: with one slot it would wait for itself.
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
      return ended(exchange, freed);
    };
    return this.#paying([id, scenario, call, options], flow, (withheld) => withheld, false);
  }

  open(
    id: ExchangeId,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession> {
    const { now } = this.#wire.clock;
    // Frees the slot once the connection is open, because the scenario continues.
    const flow = async ({ request, link, payment, ended }: Slot): Promise<SocketSession> => {
      const started = now();
      const session = await openSocket(request, {
        ...this.#wireNow(),
        maxBodyBytes: this.#bounds.maxSocketBytes,
      });
      const freed = now();
      link.waited(started, freed);
      const endBeside = this.#priorities.goesOnBeside(scenario);
      /** Frames that wait until they are paid. */
      let pending = Promise.resolve();
      const waiting = async <T>(kind: 'turn' | 'close', wait: () => Promise<T>): Promise<T> => {
        if (payment !== null) await pending;
        return timed(this.#chains.link(scenario, id.lane, kind), now, wait);
      };
      let closed: Promise<Exchange> | undefined;
      const finish = (): Promise<Exchange> => {
        closed ??= waiting('close', async () => this.#kept(await session.exchange())).then(
          (exchange) => {
            endBeside();
            return ended(exchange, freed);
          },
        );
        return closed;
      };
      // A refused upgrade is checked for a lockout before anything else is sent.
      if (!session.opened) await finish();
      return {
        opened: session.opened,
        send: (frame) => {
          if (payment === null) session.send(frame);
          else
            pending = pending
              .then(() => payment.take())
              .then((isPaid) => {
                if (isPaid) session.send(frame);
                else session.terminate(this.#purse?.empty);
              });
        },
        receive: (until) =>
          waiting('turn', () =>
            session.receive((frame) => {
              if (textAt(frame.json, 'type') === 'error') payment?.refused();
              return until(frame);
            }),
          ),
        ping: () => waiting('close', () => session.ping()),
        close: () => waiting('close', () => session.close()),
        terminate() {
          if (payment === null) session.terminate();
          else pending = pending.then(() => session.terminate());
        },
        exchange: finish,
      };
    };
    return this.#paying([id, scenario, call, options], flow, neverOpened, true);
  }

  /** Sends a request when it has a slot, unless it is withheld by then. */
  #inSlot<Sent>(
    [id, scenario, call, options]: Parameters<TargetRun['send']>,
    flow: (slot: Slot) => Promise<Sent>,
    unlessSent: (withheld: Exchange) => Sent,
    payment: Payment | null,
  ): Promise<Sent> {
    const request = this.#request(id, call, options);
    const link = this.#chains.link(scenario, id.lane, 'request');
    const { widths } = this.retries.lockouts;
    const kind = hostileKind(scenario, call, options);
    const hostility = kind === null ? null : widths.for(kind, request.about.region);
    const task = async (release: () => void): Promise<Sent> => {
      const withheld = await this.#withheld(request, scenario);
      if (withheld !== null) {
        payment?.end();
        return unlessSent(withheld);
      }
      const end = this.#begin(scenario, options.provoked === true);
      const flight = widths.begin(hostility);
      const ended: Slot['ended'] = async (exchange, freed) => {
        if (options.provoked === true) widths.end(flight);
        const seen =
          options.provoked === true
            ? exchange
            : await this.retries.lockouts.seen(exchange, { call, options, flight });
        const last = end(seen, freed);
        payment?.end();
        return last;
      };
      return flow({ request, link, payment, release, ended });
    };
    // Nothing runs beside them, so they go one after another, before others have to make way for each.
    const isFirst = kind === 'alone' && hostility?.isNext === true;
    const priority = isFirst ? Number.POSITIVE_INFINITY : this.#priorities.of(scenario, link);
    return this.#limiter.run(priority, task, hostility);
  }

  get heldBy(): HeldBy | null {
    return this.#limiter.heldBy;
  }

  now(): number {
    return this.#wire.clock.now();
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

  override scenarioEnded(scenario: Scenario): void {
    this.retries.scenarioEnded(scenario);
    super.scenarioEnded(scenario);
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

  /** Stores the body of an exchange before any caller gets it, so that all callers share one object. */
  async #kept(sent: Exchange): Promise<Exchange> {
    const exchange = await afterReset(sent, this.#wire.routes);
    this.#bounds.kept(exchange);
    return this.#spool.keep(exchange);
  }

  async #paying<Sent>(
    sending: Parameters<TargetRun['send']>,
    flow: (slot: Slot) => Promise<Sent>,
    unlessSent: (withheld: Exchange) => Sent,
    isConnection: boolean,
  ): Promise<Sent> {
    const [id, scenario, call, options] = sending;
    const isFree = options.provoked === true;
    if (this.#purse === null || isFree || !(isConnection || asksToGenerate(call))) {
      return this.#inSlot(sending, flow, unlessSent, null);
    }
    const payment = this.#purse.payment(scenario, isConnection);
    // A connection pays for each frame.
    const isPaid = isConnection || (await payment.take());
    if (isPaid) return this.#inSlot(sending, flow, unlessSent, payment);
    payment.end();
    return unlessSent(this.#unsent(this.#request(id, call, options), this.#purse.empty));
  }

  /** Returns the record of a request that is withheld, or null to send it. */
  async #withheld(request: WireRequest, scenario: Scenario): Promise<Exchange | null> {
    const { stop } = this.#options;
    const reason = await this.retries.withheld(request.url, scenario);
    const failure = stop.aborted ? notBegun(stop) : (reason ?? this.#overBound);
    return failure === null ? null : this.#unsent(request, failure);
  }

  #unsent(request: WireRequest, failure: ExchangeFailure): Exchange {
    const { recorder } = this.#options;
    const exchange = unsent(request, this.#wire, failure);
    recorder.add(this.target.name, exchange);
    return exchange;
  }

  get #overBound(): ExchangeFailure | null {
    const { traffic, requests = Number.POSITIVE_INFINITY } = this.#options;
    if (traffic.requests < requests) return null;
    const message = `not sent: ${requests} requests were sent before, and no more may be`;
    return { kind: 'over-budget', message };
  }

  /** @returns a function to be called with the ended exchange, which it returns */
  #begin(
    scenario: Scenario,
    isProvoked: boolean,
  ): (exchange: Exchange, freed: number | null) => Exchange {
    const { traffic, recorder } = this.#options;
    const end = traffic.begin();
    const since = performance.now();
    this.moved();
    this.load?.beside();
    return (sent, freed) => {
      const stalledMs = longestStallSince(since);
      const exchange = stalledMs === 0 ? sent : { ...sent, times: { ...sent.times, stalledMs } };
      end(exchange, freed);
      if (!isProvoked) this.retries.seen(exchange);
      this.#priorities.saw(scenario, exchange);
      recorder.add(this.target.name, exchange);
      this.moved();
      return exchange;
    };
  }
}

/** Returns the limit in the target file that delays requests, if it is one. */
function limitOf(by: HeldBy, limits: Target['limits']): Pick<HeldBack, 'limit'> {
  const given: Readonly<Partial<Record<HeldBy, number | null>>> = {
    concurrency: limits.concurrency,
    'requests-per-second': limits.requestsPerSecond,
    'hostile-per-second': limits.hostilePerSecond,
  };
  const limit = given[by] ?? null;
  return limit === null ? {} : { limit };
}
