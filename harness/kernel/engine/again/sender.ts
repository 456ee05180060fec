import { type AgainReason, type Exchange, type ExchangeId, exchangeId } from '../../core/index.ts';
import { isRefused } from '../../judge/index.ts';
import {
  asksToGenerate,
  type Call,
  type CallOptions,
  type SocketSession,
} from '../../protocols/index.ts';
import { brokeUnanswered, gotNothing, wasWithheld } from '../../wire/index.ts';
import type { Scenario } from '../scenario.ts';
import { hostileKind } from '../schedule/hostile.ts';
import type { TargetRun } from '../session.ts';
import { type LaneRequest, StoreLag } from './store-lag.ts';

/**
 * Sends the requests of one scenario and retries them: until a store shows a change, after a lockout, and after a
 * broken connection. The id of a request names its lane, its number and the reason of the retry. The number is
 * taken in the same tick as the call, so that ids do not depend on the order of answers.
 */
export class RetryingSender {
  readonly #run: TargetRun;
  readonly #scenario: Scenario;
  readonly #storeLag: StoreLag;
  readonly #pending: (() => Promise<Exchange>)[] = [];
  readonly #acts: Promise<unknown>[] = [];
  /** Number of calls so far, by lane and reason. */
  readonly #numbers = new Map<string, number>();

  /** @param before exchanges of the prerequisites */
  constructor(run: TargetRun, scenario: Scenario, before: readonly Exchange[]) {
    this.#run = run;
    this.#scenario = scenario;
    this.#storeLag = new StoreLag(run, scenario, before, this);
  }

  send(lane: string, call: Call, given: CallOptions): Promise<Exchange> {
    const request = { lane, call, options: this.#atHome(given) };
    const id = this.takeId(lane);
    const answer = this.#storeLag.send(request, (options) =>
      this.#send(id, { ...request, options }, true),
    );
    this.#acts.push(answer);
    return answer;
  }

  async open(lane: string, call: Call, given: CallOptions): Promise<SocketSession> {
    const request = { lane, call, options: this.#atHome(given) };
    return this.#storeLag.session(request, await this.#open(this.takeId(lane), request, true));
  }

  /** True if the next poll of a lane may be sent, before a time (null: at any time). */
  mayAsk(lane: string, before: number | null): boolean {
    return this.#run.retries.may(this.#nextId(lane, 'lag'), { before });
  }

  ask(request: LaneRequest): Promise<Exchange> {
    return this.#send(this.takeId(request.lane, 'lag'), request, false);
  }

  askToOpen(request: LaneRequest): Promise<SocketSession> {
    return this.#open(this.takeId(request.lane, 'lag'), request, false);
  }

  /** Returns all exchanges, after the last has ended, in the order in which they were sent: a replay can repeat it. */
  async settled(): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    // Calls made during this wait, for example by the loser of a race, are awaited as well.
    for (let index = 0, act = 0; index < this.#pending.length || act < this.#acts.length; ) {
      const ended = this.#pending[index];
      if (ended === undefined) {
        await this.#acts[act++]?.catch(() => undefined);
      } else {
        index++;
        exchanges.push(await ended());
      }
    }
    this.#run.lags.set(this.#scenario, this.#storeLag.lags);
    return exchanges.sort((one, other) => one.times.started - other.times.started);
  }

  takeId(lane: string, ...again: AgainReason[]): ExchangeId {
    const id = this.#nextId(lane, ...again);
    this.#numbers.set(`${lane} ${again}`, id.number + 1);
    return id;
  }

  #nextId(lane: string, ...why: AgainReason[]): ExchangeId {
    const number = this.#numbers.get(`${lane} ${why}`) ?? 0;
    const again = [...(this.#run.pass ?? []), ...why];
    return exchangeId({ ...this.#scenario.id, lane, number, again });
  }

  /** Adds the region of the scenario to a request that names none. */
  #atHome(options: CallOptions): CallOptions {
    const region = options.region ?? this.#scenario.home ?? this.#run.target.regions[0]?.name ?? '';
    return { ...options, region };
  }

  async #send(id: ExchangeId, request: LaneRequest, isFirst: boolean): Promise<Exchange> {
    const { call, options } = request;
    const { exchange } = await this.#tried(id, request, isFirst, async (attempt) => {
      const sending = this.#run.send(attempt, this.#scenario, call, options);
      this.#pending.push(() => sending);
      return { exchange: await sending };
    });
    return exchange;
  }

  async #open(id: ExchangeId, request: LaneRequest, isFirst: boolean): Promise<SocketSession> {
    const { call, options } = request;
    const { session } = await this.#tried(id, request, isFirst, async (attempt) => {
      const opening = this.#run.open(attempt, this.#scenario, call, options);
      // A socket that the scenario leaves open is closed when the scenario ends.
      this.#pending.push(async () => (await opening).exchange());
      const session = await opening;
      return { session, exchange: session.opened ? null : await session.exchange() };
    });
    return session;
  }

  /**
   * Retries a hostile request that met a lockout, once and as soon as the lockout ends. The retry costs nothing if
   * it is refused as it should be. Its time matters: the gateway has just reset its count, and later, among many
   * others, one more request would cause another lockout.
   */
  async #tried<Try extends Tried>(
    id: ExchangeId,
    request: LaneRequest,
    isFirst: boolean,
    once: (id: ExchangeId) => Promise<Try>,
  ): Promise<Try> {
    const { lane, call, options } = request;
    const first = await this.#attempts(id, request, once);
    const { failure, response } = first.exchange ?? { failure: null, response: null };
    const isLockedOut = failure?.kind === 'locked-out' && response !== null;
    if (!isFirst || !isLockedOut || hostileKind(this.#scenario, call, options) === null)
      return first;
    if (!this.#run.retries.may(this.#nextId(lane, 'lockout'))) return first;
    return this.#attempts(this.takeId(lane, 'lockout'), request, once);
  }

  /**
   * Retries a request whose connection broke before any byte of the answer: a balancer, NAT or a rolling restart
   * resets connections of a conforming gateway. The broken attempt may have been carried out: if a retry is refused
   * because nothing is left to delete or to cancel, the broken attempt counts.
   *
   * A request that got no answer for another reason is retried if a hostile one was in flight: the gateway may have
   * ended at that one. Hostile requests run alone by then, so the one to blame is alone at its retry.
   */
  async #attempts<Try extends Tried>(
    id: ExchangeId,
    { call, options }: LaneRequest,
    once: (id: ExchangeId) => Promise<Try>,
  ): Promise<Try> {
    const { retries } = this.#run;
    const mayStop = this.#storeLag.mayStop(call, options);
    const generates = asksToGenerate(call);
    let last = await once(id);
    const wasBroken = isBroken(last);
    let n = 1;
    while (last.exchange !== null && gotNothing(last.exchange)) {
      const attempt = { ...id, attempt: n + 1 };
      const broke = isBroken(last);
      if (!retries.may(attempt, { generates, isBroken: broke })) break;
      const next = await once(attempt);
      const { exchange } = next;
      // The gateway has not come back.
      if (!broke && exchange !== null && wasWithheld(exchange)) break;
      n++;
      if (mayStop && exchange !== null && isRefused(exchange)) {
        if (last.exchange !== null)
          last = { ...last, exchange: { ...last.exchange, carriedOut: true } };
        break;
      }
      last = next;
    }
    if (wasBroken || isBroken(last)) retries.attempted(this.#scenario, !isBroken(last));
    return last;
  }
}

interface Tried {
  /** Null for a socket that opened. */
  readonly exchange: Exchange | null;
}

function isBroken({ exchange }: Tried): boolean {
  return exchange !== null && brokeUnanswered(exchange);
}
