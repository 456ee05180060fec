import { type AgainReason, type Exchange, type ExchangeId, exchangeId } from '../../core/index.ts';
import { isRefused } from '../../judge/index.ts';
import {
  asksToGenerate,
  type Call,
  type Caller,
  type CallOptions,
  type SocketSession,
} from '../../protocols/index.ts';
import { brokeUnanswered, KeptConnection } from '../../wire/index.ts';
import { StoreLag } from '../again/index.ts';
import type { ClientSession, ClientStart } from '../clients/session.ts';
import type { Scenario } from '../scenario.ts';
import type { TargetRun } from '../session.ts';
import { type Hostile, hostileIn, isRaw } from './hostile.ts';
import { phases } from './phases.ts';

/**
 * The exchanges of one scenario at one target. Each has an id of lane and number; the number is
 * taken in the same tick as the call is made, before any waiting, so that ids do not depend on
 * which answer came first. Chains that run side by side take a lane each.
 *
 * It asks for no more generations than the scenario declares, whatever a gateway answers: what a plan says
 * is what a user pays at most.
 */
export class Lanes {
  readonly #run: TargetRun;
  readonly #scenario: Scenario;
  readonly #pending: (() => Promise<Exchange>)[] = [];
  readonly #acts: Promise<unknown>[] = [];
  readonly #sessions: Promise<ClientSession>[] = [];
  /** Calls so far, by lane and reason. */
  readonly #numbers = new Map<string, number>();
  readonly #storeLag: StoreLag;
  readonly #connections: KeptConnection[] = [];
  #generations = 0;
  #continued = 0;

  /** @param before what was exchanged by the scenarios that it comes after */
  constructor(run: TargetRun, scenario: Scenario, before: readonly Exchange[]) {
    this.#run = run;
    this.#scenario = scenario;
    this.#storeLag = new StoreLag({
      before,
      limitMs: run.target.limits.consistencyMs,
      withoutLookup: scenario.withoutLookup,
      now: () => run.now(),
      ask: (lane, call, options) => this.#sendAs(this.#id(lane, 'lag'), call, options),
      open: (lane, call, options) => this.#openAs(this.#id(lane, 'lag'), call, options),
      mayAsk: (lane, before) => run.mayAskAgain(this.#nextId(lane, 'lag'), before),
      continues: () => this.#continues(),
      pause: (milliseconds, lane) => run.pause(milliseconds, scenario, lane),
    });
  }

  /** A caller whose exchanges are numbered in this lane. */
  caller(lane: string): Caller {
    return {
      send: (call, options) => this.#send(lane, call, options ?? {}),
      open: (call, options) => this.#open(lane, call, options ?? {}),
    };
  }

  /** Starts the client under test. */
  start(lane: string, start: ClientStart): Promise<ClientSession> {
    const session = this.#run.start?.(this.#id(lane), start);
    if (session === undefined) {
      throw new Error(`${this.#scenario.name} starts a client, and this run judges a gateway`);
    }
    this.#sessions.push(session);
    return session;
  }

  /** A connection that is kept until all exchanges have ended. */
  connection(): KeptConnection {
    const connection = new KeptConnection();
    this.#connections.push(connection);
    return connection;
  }

  /** All exchanges, in the order of their calls, once the last of them has ended. */
  async settled(): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    // A call made while we wait, by the loser of a race, is waited for as well.
    for (let index = 0, act = 0; index < this.#pending.length || act < this.#acts.length; ) {
      const ended = this.#pending[index];
      if (ended === undefined) {
        await this.#acts[act++]?.catch(() => undefined);
      } else {
        index++;
        exchanges.push(await ended());
      }
    }
    for (const session of this.#sessions) {
      const seen = await session.catch(() => null);
      exchanges.push(...(seen?.exchanges ?? []));
    }
    this.#run.lags.set(this.#scenario, this.#storeLag.lags);
    for (const connection of this.#connections) connection.close();
    return exchanges;
  }

  /** A request goes to the region of its scenario unless it names another. */
  #atHome(options: CallOptions): CallOptions {
    const { home } = this.#scenario;
    return home === null ? options : { region: home, ...options };
  }

  #regionOf({ region }: CallOptions): string {
    return region ?? this.#run.target.regions[0]?.name ?? '';
  }

  #nextId(lane: string, ...again: AgainReason[]): ExchangeId {
    const number = this.#numbers.get(`${lane} ${again}`) ?? 0;
    return exchangeId({
      ...this.#scenario.id,
      lane,
      number,
      again: [...(this.#run.pass ?? []), ...again],
    });
  }

  #id(lane: string, ...again: AgainReason[]): ExchangeId {
    const id = this.#nextId(lane, ...again);
    this.#numbers.set(`${lane} ${again}`, id.number + 1);
    return id;
  }

  #send(lane: string, call: Call, given: CallOptions): Promise<Exchange> {
    if (asksToGenerate(call)) this.#asksToGenerate();
    this.#isHostile(hostileIn(call, given));
    const options = this.#atHome(given);
    const id = this.#id(lane);
    const region = this.#regionOf(options);
    const answer = this.#storeLag.send({ lane, call, options, region }, async (now) => {
      const first = await this.#sendAs(id, call, now);
      const again = this.#idAfterLockout(lane, first, call, options);
      return again === null ? first : this.#sendAs(again, call, now);
    });
    this.#acts.push(answer);
    return answer;
  }

  /**
   * Returns the id of a retry if a hostile request came under a lockout, or null. The retry is sent as
   * soon as the lockout is over: it is a new request, and costs nothing if it is refused as it should be.
   * The gateway has just begun to count anew then; later, among many others, one more request would cause
   * another lockout.
   */
  #idAfterLockout(
    lane: string,
    { failure, response }: Exchange,
    call: Call,
    options: CallOptions,
  ): ExchangeId | null {
    if (failure?.kind !== 'locked-out' || response === null) return null;
    if (this.#scenario.hostile !== 'input' && hostileIn(call, options) === null) return null;
    const id = this.#nextId(lane, 'lockout');
    return this.#run.mayAskAgain(id, null) ? this.#id(lane, 'lockout') : null;
  }

  async #sendAs(id: ExchangeId, call: Call, options: CallOptions): Promise<Exchange> {
    const { exchange } = await this.#attempts(id, call, options, async (attempt) => {
      const sending = this.#run.send(attempt, this.#scenario, call, options);
      this.#pending.push(() => sending);
      return { exchange: await sending };
    });
    return exchange;
  }

  /**
   * Makes a request again whose connection broke before any of the answer came. The attempt that broke may
   * have been carried out: where a later one is refused because there is nothing left to delete or to cancel,
   * the broken one stands.
   */
  async #attempts<Attempt extends { readonly exchange: Exchange | null }>(
    id: ExchangeId,
    call: Call,
    options: CallOptions,
    attempt: (id: ExchangeId) => Promise<Attempt>,
  ): Promise<Attempt> {
    const mayStop = this.#storeLag.mayStop(call, options, this.#regionOf(options));
    let last = await attempt(id);
    let n = 1;
    while (isBroken(last) && this.#run.mayAttempt({ ...id, attempt: n + 1 }, call)) {
      n++;
      const next = await attempt({ ...id, attempt: n });
      const { exchange } = next;
      if (mayStop && exchange !== null && isRefused(exchange)) {
        if (last.exchange !== null)
          last = { ...last, exchange: { ...last.exchange, carriedOut: true } };
        break;
      }
      last = next;
    }
    if (isBroken(last) || n > 1) this.#run.attempted(this.#scenario, !isBroken(last));
    return last;
  }

  async #open(lane: string, call: Call, given: CallOptions): Promise<SocketSession> {
    this.#isHostile(hostileIn(call, given));
    const options = this.#atHome(given);
    const id = this.#id(lane);
    const session = await this.#openUnlessLockedOut(lane, id, call, options);
    const region = this.#regionOf(options);
    const storeLag = this.#storeLag.session({ lane, call, options, region }, session);
    return {
      ...storeLag,
      send: (frame) => {
        // Any frame counts, because a gateway that serves everything takes it for a turn.
        this.#asksToGenerate();
        this.#isHostile(isRaw(frame) ? 'input' : null);
        storeLag.send(frame);
      },
    };
  }

  /** @throws {Error} when it would send too early what a gateway may defend itself against */
  #isHostile(what: Hostile | null): void {
    const { name, phase } = this.#scenario;
    if (what === null || phases.indexOf(phase) >= phases.indexOf(what)) return;
    throw new Error(
      `${name} sends ${what === 'input' ? 'input' : 'a credential'} that a gateway may defend itself against, ` +
        `before others have had their turn: say \`hostile: '${what}'\` among its options.`,
    );
  }

  async #openAs(id: ExchangeId, call: Call, options: CallOptions): Promise<SocketSession> {
    const { session } = await this.#attempts(id, call, options, async (attempt) => {
      const opening = this.#run.open(attempt, this.#scenario, call, options);
      // A socket that the scenario leaves open is closed when it ends.
      this.#pending.push(async () => (await opening).exchange());
      const session = await opening;
      return { session, exchange: session.opened ? null : await session.exchange() };
    });
    return session;
  }

  async #openUnlessLockedOut(
    lane: string,
    id: ExchangeId,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession> {
    const first = await this.#openAs(id, call, options);
    if (first.opened) return first;
    const again = this.#idAfterLockout(lane, await first.exchange(), call, options);
    return again === null ? first : this.#openAs(again, call, options);
  }

  /** True if an act may be retried: as many as the cost of the scenario declares. */
  #continues(): boolean {
    const { continues = 0 } = this.#scenario.costAt(this.#run.target);
    if (this.#continued++ < continues) return true;
    this.#run.undeclared.add(this.#scenario.name);
    return false;
  }

  /** @throws {Error} when a scenario asks for more than its cost says, before anybody pays for it */
  #asksToGenerate(): void {
    const { name } = this.#scenario;
    const { generations, refused = 0, fallback = 0 } = this.#scenario.costAt(this.#run.target);
    const most = generations + refused + fallback;
    this.#generations++;
    if (this.#generations <= most) return;
    throw new Error(
      `${name} declares ${most} generations at most, and asks for one more. Its cost has to count every ` +
        'request and every frame that asks a model to generate: under `generations` what a right gateway ' +
        'serves, under `refused` what has to be refused, under `fallback` what is only asked for where the rest ' +
        'did not show it.',
    );
  }
}

function isBroken({ exchange }: { readonly exchange: Exchange | null }): boolean {
  return exchange !== null && brokeUnanswered(exchange);
}
