import { setTimeout as delay } from 'node:timers/promises';
import {
  at,
  type Exchange,
  type ExchangeFailure,
  type ExchangeId,
  exchangeId,
  formatId,
} from '../../core/index.ts';
import { blockPage, outcome, requestInWords, transientIn } from '../../judge/index.ts';
import { asksToGenerate, type Call, type CallOptions, errorBody } from '../../protocols/index.ts';
import type { Limits } from '../../targets/index.ts';
import { gotNothing, type Held, Pace, type Pacing, retryAfterMs } from '../../wire/index.ts';
import { firstPauseMs, nextPause, paceSteps, retryBounds } from './bounds.ts';
import { type Flight, mostAtOnce, Widths } from './widths.ts';

/** True for a request that the run itself sent to test for a lockout. */
export function isSentinel({ id }: Exchange): boolean {
  return id.origin === 'sentinel';
}

/** Maximum number of checked requests after a lockout, of the kind that preceded it. */
const mostConfirmed = 3;
/** Maximum number of generations spent on such checks, where no free request was served. */
const mostGenerations = 3;
/** Upper bound on all pauses together, as a multiple of the patience. */
const mostPauses = 10;

interface Sent {
  readonly call: Call;
  readonly options: CallOptions;
  readonly flight: Flight;
}

export interface LockoutOptions {
  readonly limits: Limits;
  readonly stop: AbortSignal;
  /** Sends a request of the run itself. */
  send(id: ExchangeId, call: Call, options: CallOptions): Promise<Exchange>;
  /** True if one more generation stays within the announced cost. */
  mayGenerate(): boolean;
  /** Milliseconds since the start of the run. */
  now(): number;
  /** Called when more requests may be sent than before. */
  onMore(): void;
}

/** A request that was served, and may be repeated to test for a lockout. */
interface Sentinel {
  readonly call: Call;
  readonly options: CallOptions;
  /** Cost of repeating it; lower is cheaper. */
  readonly rank: number;
}

interface Lockout {
  /** The refusal of the request that was served before. */
  readonly answer: Exchange;
  readonly message: string;
}

/**
 * Detects rate limits and lockouts, and delays requests that are not sent yet. A good key may be refused because of
 * earlier requests with wrong keys or malformed input. To find out, the watch repeats a request that was served
 * before (the sentinel). If the sentinel is refused as well, exchanges of that time count as locked out, and
 * nothing is sent until it is served again.
 */
export class LockoutWatch implements Pacing {
  readonly widths: Widths;
  readonly #options: LockoutOptions;
  readonly #pace: Pace;
  readonly #hostilePace: Pace;
  /** By region and key. */
  readonly #sentinels = new Map<string, Sentinel>();
  readonly #asked = new Map<
    string,
    { now: Promise<unknown>; next: Promise<Exchange | null> | null }
  >();
  /** Refusals of hostile requests that turned out to be no lockout. */
  readonly #harmless = new Set<string>();
  #sent = 0;
  #generations = 0;
  /** The latest answered hostile requests, newest first. */
  #hostile: readonly Exchange[] = [];
  #lockout: Lockout | null = null;
  /** The latest lockout that has ended, and when it did. */
  #over: { readonly lockout: Lockout; readonly at: number } | null = null;
  /** Ids of requests without an answer that were in flight beside a hostile one. */
  readonly #lostBeside = new Set<string>();
  #pausedMs = 0;
  /** Hostile requests since the last lockout, and between that and the one before. */
  #sinceLockout = 0;
  #before: number | null = null;
  /** Milliseconds between two hostile requests; null: spacing does not help, and none is applied. */
  #spacing: number | null = 0;
  /** Words of the refusal that preceded a lockout, and the number of similar ones checked since. */
  #suspect: string | null = null;
  #confirmed = 0;
  #isCareful = false;
  #givenUp: ExchangeFailure | null = null;

  constructor(options: LockoutOptions) {
    this.#options = options;
    this.widths = new Widths(options.limits);
    const { requestsPerSecond, hostilePerSecond, patienceMs } = options.limits;
    this.#pace = new Pace({
      perSecond: requestsPerSecond,
      mostPerSecond: options.limits.mostRequestsPerSecond,
      step: paceSteps.ordinary,
      by: 'requests-per-second',
      learnedBy: 'rate-limit',
      patienceMs,
    });
    this.#hostilePace = new Pace({
      perSecond: hostilePerSecond,
      mostPerSecond: options.limits.mostHostilePerSecond,
      step: paceSteps.hostile,
      by: 'hostile-per-second',
      learnedBy: 'lockout',
      patienceMs,
    });
  }

  /** Reason why nothing further is sent, or null. */
  get givenUp(): ExchangeFailure | null {
    return this.#givenUp;
  }

  heldUntil(now: number, hostile: boolean): Held | null {
    if (this.#givenUp !== null) return null;
    if (this.#lockout !== null) return { until: now + 1_000, by: 'lockout' };
    const held = this.#pace.heldUntil(now);
    const longer = hostile ? this.#hostilePace.heldUntil(now) : null;
    return longer === null || (held !== null && held.until > longer.until) ? held : longer;
  }

  started(now: number, hostile: boolean): void {
    this.#pace.started(now);
    if (hostile) this.#hostilePace.started(now);
  }

  /** True if a request got no answer, and a hostile one that was in flight may be the reason. */
  wasLostBeside(id: ExchangeId): boolean {
    return this.#lostBeside.has(formatId(id));
  }

  /** Slows down for the retries of requests that the gateway put off. */
  beCareful(): void {
    if (this.#isCareful) return;
    this.#isCareful = true;
    if (this.#pausedMs > 0) this.#hostilePace.slowDown(performance.now());
    this.#pace.stopGrowing();
    this.#hostilePace.stopGrowing();
  }

  /** Returns the exchange, marked as locked out if it met a lockout. */
  async seen(exchange: Exchange, sent: Sent): Promise<Exchange> {
    const { hostility, at } = sent.flight;
    const hostile = hostility !== null;
    this.#learn(exchange, hostile, at);
    const isDue = this.#widen(exchange, sent.flight);
    if (hostile) {
      this.#hostile = [exchange, ...this.#hostile.slice(0, mostAtOnce - 1)];
      this.#sinceLockout++;
    }
    const { response } = exchange;
    if (!hostile && response !== null && response.status < 300) this.#remember(exchange, sent);
    if (!isDue && !this.#isSuspicious(exchange, hostile)) return exchange;
    const lockout = this.#lockout ?? this.#overtaken(exchange, at) ?? (await this.#look(exchange));
    // Its scenario continues at this moment, in a live run and in a replay.
    const times = { ...exchange.times, ended: this.#options.now() };
    if (lockout === null && hostile) this.#harmless.add(words(exchange));
    const isOwn = lockout === null || (hostile && words(exchange) !== words(lockout.answer));
    if (isOwn) return { ...exchange, times };
    return { ...exchange, times, failure: { kind: 'locked-out', message: lockout.message } };
  }

  /** Returns a lockout that has ended, if it met a request that was sent before its end. */
  #overtaken(exchange: Exchange, at: number): Lockout | null {
    if (this.#over === null || at >= this.#over.at) return null;
    const { lockout } = this.#over;
    return words(exchange) === words(lockout.answer) ? lockout : null;
  }

  /** Learns how many hostile requests may run at once. @returns true if a sentinel may widen a kind */
  #widen(exchange: Exchange, flight: Flight): boolean {
    const { about, response, failure } = exchange;
    const { hostility, at, isBesideHostile } = flight;
    this.widths.end(flight);
    const status = response?.status ?? 0;
    const isUnanswered = gotNothing(exchange);
    if (isUnanswered && isBesideHostile) this.#lostBeside.add(formatId(exchange.id));
    const mayBeHarm = isUnanswered || status >= 500;
    if (mayBeHarm && (hostility !== null || isBesideHostile)) this.widths.harmed();
    if (failure !== null || status === 429) return false;
    if (hostility === null) {
      if (status < 300 && this.widths.served(about.region, at)) this.#options.onMore();
      return false;
    }
    if (!this.widths.answered(hostility)) return false;
    const sentinel = this.#sentinels.get(this.#sentinelFor(about) ?? '');
    return sentinel !== undefined && !asksToGenerate(sentinel.call);
  }

  #learn(exchange: Exchange, hostile: boolean, at: number): void {
    const { response, failure } = exchange;
    const told = response === null ? null : retryAfterMs(response.headers, Date.now());
    const { cause = null } = transientIn(exchange) ?? {};
    if (cause === 'rate-limit' || cause === 'overload' || gotNothing(exchange)) this.#strained();
    if (cause === 'rate-limit' || (cause === 'overload' && told !== null)) {
      const now = performance.now();
      this.#pace.putOff(now, at, told);
      this.#options.onMore();
    } else if (failure === null) {
      this.#pace.took();
      if (hostile) this.#hostilePace.took();
    }
  }

  #strained(): void {
    this.#pace.strained();
    this.#hostilePace.strained();
  }

  #remember({ about }: Exchange, { call, options }: Sent): void {
    const { key, region, placement = 'own', cut, headers } = options;
    const isPlain = placement === 'own' && cut === undefined;
    const rank = rankOf(call);
    if (!isPlain || rank === null) return;
    const where = regionAndKey(about);
    if ((this.#sentinels.get(where)?.rank ?? Number.POSITIVE_INFINITY) <= rank) return;
    const plain = {
      ...(key === undefined ? {} : { key }),
      ...(region === undefined ? {} : { region }),
      ...(headers === undefined ? {} : { headers }),
    };
    this.#sentinels.set(where, { call, options: plain, rank });
  }

  #isSuspicious(exchange: Exchange, hostile: boolean): boolean {
    if (this.#givenUp !== null) return false;
    if (hostile && this.#isToBeConfirmed(exchange)) return true;
    if (!isShutOut(exchange)) return false;
    // After one lockout every refusal is checked: any further one may lock us out again.
    if (hostile) return this.#pausedMs > 0 || !this.#harmless.has(words(exchange));
    const status = exchange.response?.status;
    // Without a hostile request before it, such an answer means a rate limit or an overload.
    return this.#hostile.length > 0 || status === 401 || status === 403;
  }

  /**
   * True for the first few requests like the one that preceded a lockout. If each of them causes another lockout,
   * that shows at once.
   */
  #isToBeConfirmed(exchange: Exchange): boolean {
    if (this.#suspect === null || exchange.failure !== null) return false;
    if (words(exchange) !== this.#suspect || this.#confirmed >= mostConfirmed) return false;
    this.#confirmed++;
    return true;
  }

  /** Repeats a request that was served before. @returns the lockout that it shows, or null */
  async #look({ about }: Exchange): Promise<Lockout | null> {
    const where = this.#sentinelFor(about);
    if (where === null) return null;
    const answer = await this.#askOnce(where);
    if (answer === null || !isShutOut(answer)) return null;
    return this.#lockout ?? this.#pause(where, answer);
  }

  /** Returns the place of a sentinel with the same key in the same region, or of the owner's there. */
  #sentinelFor(about: Exchange['about']): string | null {
    const own = regionAndKey(about);
    if (this.#sentinels.has(own)) return own;
    const there = regionAndKey({ ...about, key: 'owner' });
    return this.#sentinels.has(there) ? there : null;
  }

  /** Sends one sentinel for all concurrent callers, never reusing an earlier answer. */
  #askOnce(where: string): Promise<Exchange | null> {
    const asked = this.#asked.get(where) ?? { now: Promise.resolve(), next: null };
    this.#asked.set(where, asked);
    asked.next ??= asked.now.then(() => {
      asked.next = null;
      const answer = this.#ask(where);
      asked.now = answer;
      return answer;
    });
    return asked.next;
  }

  async #ask(where: string): Promise<Exchange | null> {
    const sentinel = this.#sentinels.get(where);
    if (sentinel === undefined) return null;
    if (asksToGenerate(sentinel.call)) {
      if (this.#generations >= mostGenerations || !this.#options.mayGenerate()) return null;
      this.#generations++;
    }
    for (let held = this.#pace.heldUntil(performance.now()); held !== null; ) {
      await this.#wait(held.until - performance.now());
      held = this.#pace.heldUntil(performance.now());
    }
    if (this.#options.stop.aborted) return null;
    const at = performance.now();
    this.#pace.started(at);
    const id = exchangeId({ origin: 'sentinel', scenario: where, number: this.#sent++ });
    const answer = await this.#options.send(id, sentinel.call, sentinel.options);
    this.#learn(answer, false, at);
    const { status = 0 } = answer.response ?? {};
    if (status >= 200 && status < 300) this.widths.served(answer.about.region, at);
    return answer;
  }

  #pause(where: string, answer: Exchange): Lockout {
    const [latest] = this.#hostile;
    const message =
      `locked out${latest === undefined ? '' : ` after ${requestName(latest)}`}: ` +
      `${requestInWords(answer)}, which was served before, was answered ${outcome(answer)}`;
    // The latest ones may already have met the lockout.
    const reason = this.#hostile.find((one) => words(one) !== words(answer));
    this.#suspect ??= reason === undefined ? null : words(reason);
    const lockout: Lockout = { answer, message };
    this.#lockout = lockout;
    this.widths.harmed();
    this.#strained();
    void this.#untilLetIn(where, lockout).finally(() => {
      this.#lockout = null;
      this.#over = { lockout, at: performance.now() };
      this.#options.onMore();
    });
    return lockout;
  }

  async #untilLetIn(where: string, { answer, message }: Lockout): Promise<void> {
    const patienceMs = retryBounds.lockout.waitMs(this.#options.limits);
    const since = performance.now();
    const waited = (): number => performance.now() - since;
    const patience = Math.min(patienceMs, mostPauses * patienceMs - this.#pausedMs);
    let told = answer.response === null ? null : retryAfterMs(answer.response.headers, Date.now());
    for (let pause = 10 * firstPauseMs; waited() < patience; pause = nextPause(pause)) {
      await this.#wait(Math.min(told ?? pause, patience - waited()));
      told = null;
      const again = await this.#askOnce(where);
      if (this.#options.stop.aborted) return;
      if (again === null || !isShutOut(again)) {
        this.#pausedMs += waited();
        this.#spaceOut(waited());
        return;
      }
    }
    const seconds = Math.round(waited() / 1_000);
    this.#givenUp = {
      kind: 'locked-out',
      message: `not sent: ${message}, and still so after ${seconds} s`,
    };
  }

  /**
   * Spaces hostile requests at their average rate so far, including the pause, which takes no longer overall. If
   * the next lockout comes after as few requests as before, spacing does not help and is dropped.
   */
  #spaceOut(pausedMs: number): void {
    const since = this.#sinceLockout;
    this.#sinceLockout = 0;
    if (since === 0 || this.#spacing === null) return;
    const helps = this.#before === null || since > 1.5 * this.#before;
    this.#before = since;
    this.#spacing = helps ? this.#spacing + pausedMs / since : null;
    this.#hostilePace.keepApart(this.#spacing ?? 0);
  }

  async #wait(milliseconds: number): Promise<void> {
    const { stop } = this.#options;
    await delay(Math.max(1, milliseconds), undefined, { signal: stop }).catch(() => undefined);
  }
}

/** True if an answer may be that of a lockout. */
export function isShutOut(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return [401, 403, 429, 503].includes(status) || blockPage(exchange) !== null;
}

/** Returns the words by which refusals are compared, without parts that vary. */
export function words(exchange: Exchange): string {
  const message = errorBody(exchange)?.message ?? blockPage(exchange) ?? '';
  return `${exchange.response?.status} ${message.replace(/[\d"'`].*/, '')}`;
}

function regionAndKey({ region, key }: Exchange['about']): string {
  return `${region}/${key}`;
}

/** Returns the cost of repeating a call (lower is cheaper), or null if it would change something. */
function rankOf(call: Call): number | null {
  if (call.expects !== 'json' || call.protocol === 'probe') return null;
  // A stored response may be deleted meanwhile, and is denied for that reason.
  const isAboutStored =
    call.method === 'GET'
      ? call.protocol === 'responses'
      : at(call.body, 'previous_response_id') !== undefined;
  if (isAboutStored) return null;
  if (call.method === 'GET') return call.protocol === 'models' ? 0 : 1;
  if (/(count-tokens|input-tokens)$/.test(call.operation)) return 2;
  return asksToGenerate(call) ? 3 : null;
}

function requestName(exchange: Exchange): string {
  const { key } = exchange.about;
  const how = ['owner', 'sameUser', 'otherUser', 'restricted'].includes(key) ? '' : `, key: ${key}`;
  return `${requestInWords(exchange)} (${formatId(exchange.id)}${how})`;
}
