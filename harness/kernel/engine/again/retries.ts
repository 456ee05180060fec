import type { Cause, Exchange, ExchangeFailure, ExchangeId } from '../../core/index.ts';
import type { Target } from '../../targets/index.ts';
import { mostGenerations, type Scenario, withPrerequisites } from '../scenario.ts';
import type { RequestsLeft, Retry, Retrying } from '../session.ts';
import { type RetryReason, retryBounds } from './bounds.ts';
import { GatewayExits } from './gateway-exits.ts';
import { type LockoutOptions, LockoutWatch } from './lockout.ts';
import { isRepeat } from './never-served.ts';
import { isSettled, type Settle } from './second-pass.ts';
import { Silence } from './silence.ts';

/** Attempts of any request, even if no connection was seen to break by chance. */
const leastAttempts = 2;

/** Number of requests lost in all attempts, after which further ones get only `leastAttempts`. */
const mostLost = 2;

export interface RetryLimits {
  /** Requests that are retried at the end. Default: those that the gateway put off. */
  readonly settle?: Settle | undefined;
  /** Maximum number of requests. Default: as many as the scenarios declare. */
  readonly requests?: number | undefined;
  /** Maximum number of generations. Default: planned ones, and a retry of each that is put off. */
  readonly generations?: number | undefined;
  /** Forbids retries that cost a generation. */
  readonly onlyPlanned?: boolean | undefined;
}

interface RetriesOptions extends RetryLimits, Omit<LockoutOptions, 'mayGenerate'> {
  readonly target: Target;
  readonly traffic: { readonly generations: number };
}

/** Decides which requests a run retries, within common bounds, and when it stops sending. */
export class Retries implements Retrying {
  readonly lockouts: LockoutWatch;
  readonly #options: RetriesOptions;
  readonly #exits: GatewayExits;
  readonly #silence = new Silence();
  /** Scenarios that have not ended, and the requests that they may still send. */
  readonly #planned = new Set<Scenario>();
  readonly #left = { ordinary: 0, hostile: 0, generations: 0 };
  /** Maximum number of planned generations, and the further ones allowed so far. */
  #announced = 0;
  #further = 0;
  #waitingLeft = Number.POSITIVE_INFINITY;
  #attemptsLeft = 0;
  /** Requests with a broken connection that a later attempt recovered, and those that none did. */
  #recovered = 0;
  #lost = 0;
  /** Scenarios that run a second time. */
  readonly #second = new Set<Scenario>();
  /** Scenarios with a request that no attempt got an answer to. */
  readonly #unanswered = new Set<Scenario>();

  constructor(options: RetriesOptions) {
    this.#options = options;
    this.#exits = new GatewayExits(options);
    const mayGenerate = (): boolean => this.#mayGenerate('lockout', 1);
    this.lockouts = new LockoutWatch({ ...options, mayGenerate });
  }

  get requestsLeft(): RequestsLeft {
    return this.#left;
  }

  /** Reason why nothing further is sent, or null. */
  get givenUp(): ExchangeFailure | null {
    return this.lockouts.givenUp ?? this.#exits.givenUp ?? this.#silence.givenUp;
  }

  /** Returns the reason why a request is not sent, or null. Waits for a gateway that ended. */
  async withheld(url: string, scenario: Scenario): Promise<ExchangeFailure | null> {
    const away = await this.#exits.at(url);
    return away ?? (isRepeat(scenario.id) ? this.lockouts.givenUp : this.givenUp);
  }

  plan(scenarios: readonly Scenario[]): void {
    const { target, requests: most } = this.#options;
    const planned = { requests: 0, expectedGenerations: 0 };
    for (const scenario of withPrerequisites(scenarios)) {
      const cost = scenario.costAt(target);
      planned.requests += cost.requests;
      planned.expectedGenerations += cost.generations;
      this.#announced += mostGenerations(cost);
      this.#planned.add(scenario);
      this.#count(scenario, 1);
    }
    const { lag, connection } = retryBounds;
    this.#attemptsLeft += connection.further(planned);
    // A bound on all requests includes those that wait for a store to show a change.
    if (most !== undefined) return;
    const before = Number.isFinite(this.#waitingLeft) ? this.#waitingLeft : 0;
    this.#waitingLeft = before + lag.further(planned, target.limits);
  }

  scenarioEnded(scenario: Scenario): void {
    if (this.#planned.delete(scenario)) this.#count(scenario, -1);
  }

  #count(scenario: Scenario, sign: 1 | -1): void {
    const kind = scenario.hostile === null ? 'ordinary' : 'hostile';
    const cost = scenario.costAt(this.#options.target);
    this.#left[kind] += sign * cost.requests;
    this.#left.generations += sign * mostGenerations(cost);
  }

  seen(exchange: Exchange): void {
    this.#silence.seen(exchange);
    this.#exits.seen(exchange);
  }

  may(id: ExchangeId, { generates = false, before = null, isBroken = true }: Retry = {}): boolean {
    const { stop, now } = this.#options;
    const { attempt } = id;
    if (attempt === 1) return (before === null || now() < before) && this.#waitingLeft-- > 0;
    if (stop.aborted || this.givenUp !== null) return false;
    const isLostBeside = this.lockouts.wasLostBeside({ ...id, attempt: attempt - 1 });
    if (!isBroken && !isLostBeside) return false;
    if (!this.#mayGenerate('connection', generates ? 1 : 0)) return false;
    // Connections break by chance if a further attempt was answered for some request. If that was never seen, the
    // gateway breaks them itself, and two attempts show it.
    const isByChance = this.#recovered > 0 || this.#lost < mostLost;
    const most = isByChance ? retryBounds.connection.tries : leastAttempts;
    if (attempt > most || this.#attemptsLeft <= 0) return false;
    this.#attemptsLeft--;
    return true;
  }

  attempted(scenario: Scenario, isAnswered: boolean): void {
    if (isAnswered) this.#recovered++;
    else this.#lost++;
    if (!isAnswered) this.#unanswered.add(scenario);
  }

  settles(cause: Cause, scenarios: readonly Scenario[]): boolean {
    const { stop, settle = 'put-off', target } = this.#options;
    if (stop.aborted || this.givenUp !== null) return false;
    const all = [...withPrerequisites(scenarios)];
    const isBroken = cause === 'unreachable' && all.some((one) => this.#unanswered.has(one));
    if (!isSettled(isBroken ? 'broken-connection' : cause, settle)) return false;
    const more = all.filter((one) => !this.#second.has(one));
    const cost = more.reduce((sum, one) => sum + mostGenerations(one.costAt(target)), 0);
    if (!this.#mayGenerate('put-off', cost)) return false;
    for (const one of more) this.#second.add(one);
    this.lockouts.beCareful();
    return true;
  }

  /** Reserves generations for a repeated request. @returns false if it may not be sent */
  #mayGenerate(reason: RetryReason, count: number): boolean {
    const { generations: kind } = retryBounds[reason];
    const { traffic, onlyPlanned = false, generations } = this.#options;
    if (count === 0) return true;
    if (onlyPlanned || kind === 'none') return false;
    const isPlanned = kind === 'planned';
    const most = generations ?? (isPlanned ? 1 : 2) * this.#announced;
    const kept =
      (isPlanned ? 0 : this.#further) + (kind === 'further' ? this.#left.generations : 0);
    if (traffic.generations + kept + count > most) return false;
    if (!isPlanned) this.#further += count;
    return true;
  }
}
