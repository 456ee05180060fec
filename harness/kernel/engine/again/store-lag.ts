import { at, type Exchange, formatId, parsed, textAt } from '../../core/index.ts';
import {
  type Call,
  type CallOptions,
  endsResponse,
  endsTurn,
  lookupCall,
  type SocketSession,
} from '../../protocols/index.ts';
import type { Scenario } from '../scenario.ts';
import type { LateAnswer, TargetRun } from '../session.ts';
import { firstPauseMs, nextPause, retryBounds } from './bounds.ts';
import {
  type Act,
  actIn,
  actOf,
  asksToStore,
  type Change,
  changesIn,
  isAmbiguous,
  type Known,
  knownFrom,
  makerOf,
  mayBeAskedAgain,
  type Stale,
  staleIn,
  staleTurn,
  stops,
  toBeSeenFirst,
} from './stored-state.ts';

/** Request of a lane. Its options name the region that it goes to. */
export interface LaneRequest {
  readonly lane: string;
  readonly call: Call;
  readonly options: CallOptions;
}

/** Sends what waits for the store. */
interface FurtherRequests {
  mayAsk(lane: string, before: number | null): boolean;
  ask(request: LaneRequest): Promise<Exchange>;
  askToOpen(request: LaneRequest): Promise<SocketSession>;
}

/**
 * The one place where a run waits for a store with several nodes. A response that was just stored, cancelled
 * or deleted need not show it everywhere at once: within `limits.consistencyMs` an answer that does not show
 * it yet decides nothing, and the act is asked for again.
 *
 * - What is free is asked for again itself, until it shows or the limit ends: so whichever node answers, the
 *   last answer is judged.
 * - What costs a generation is no way to poll. The plain lookup is asked first, and then the act, once. That
 *   one node shows a response does not say that the next one does, however often it is asked: so where the
 *   act is answered as if nothing had been done, it is asked for once more when the limit is over, and that
 *   answer counts. On a right gateway the first try was refused, and cost nothing.
 * - Before others are denied a response, its maker has to have seen it: else they might be denied what is not
 *   there yet. A history, in which they ask side by side, does without it.
 *
 * Polls are numbered apart, so that the ids of all else are the same whether or not it waits.
 */
export class StoreLag {
  readonly lags: LateAnswer[] = [];
  readonly #run: TargetRun;
  readonly #scenario: Scenario;
  readonly #further: FurtherRequests;
  /** Maximum milliseconds until a change shows. */
  readonly #limitMs: number;
  readonly #changes = new Map<string, Change[]>();
  #continued = 0;

  /** @param before exchanges of the scenarios that come before */
  constructor(
    run: TargetRun,
    scenario: Scenario,
    before: readonly Exchange[],
    further: FurtherRequests,
  ) {
    this.#run = run;
    this.#scenario = scenario;
    this.#further = further;
    this.#limitMs = retryBounds.lag.waitMs(run.target.limits);
    const inTime = [...before].sort((one, other) => one.times.ended - other.times.ended);
    for (const exchange of inTime) this.#learn(exchange);
  }

  /** @param first sends it for the first time */
  async send(
    request: LaneRequest,
    first: (options: CallOptions) => Promise<Exchange>,
  ): Promise<Exchange> {
    const { lane, call, options } = request;
    const act = actOf(call, options);
    const now = this.#watching(request);
    const known = act === null ? null : this.#known(act.id);
    if (act === null || known === null) return this.#learn(await first(now));
    const due = toBeSeenFirst(known, act);
    const atOnce = this.#scenario.withoutLookup && !act.generates;
    if (due !== null && !atOnce) await this.#see(lane, act.id, known, due);
    if (!act.generates) return this.#untilItShows(act, request, () => first(now));
    const mayAgain = mayBeAskedAgain(known, act) && this.#continues();
    const answer = this.#learn(await first(now));
    const stale = mayAgain ? this.#staleIn(act, answer) : null;
    const { started } = answer.times;
    if (stale === null || !(await this.#limitIsOver(stale, started, lane))) return answer;
    return this.#learn(await this.#further.ask(request));
  }

  /**
   * Wraps a socket so that its turns wait in the same way. A first turn that has to be repeated opens
   * another connection.
   */
  session(request: LaneRequest, opened: SocketSession): SocketSession {
    const { lane, options } = request;
    const by = makerOf(options.key ?? 'owner', options.region ?? '', null);
    let current = opened;
    /** Until what is named has been seen; then what was sent is sent. */
    let ready: Promise<void> | null = null;
    let frames = 0;
    let tried: { readonly act: Act; readonly frame: object } | null = null;
    let asked = 0;
    let stores = false;
    let left: Frame[] = [];
    const learn = ({ json }: Frame): void => {
      const id = textAt(json, 'response.id');
      const hasEnded = endsResponse(textAt(json, 'type'));
      if (stores && hasEnded && id !== null && by !== null) this.#note({ id, by, stored: null });
    };
    const take = async (until: Until): Promise<void> => {
      await current.receive((frame) => {
        learn(frame);
        return until(frame);
      });
    };
    const turn = async (): Promise<Frame[]> => {
      const all: Frame[] = [];
      await take((frame) => {
        all.push(frame);
        return endsTurn(textAt(frame.json, 'type'));
      });
      return all;
    };
    return {
      opened: opened.opened,
      send: (frame) => {
        const isTurn = typeof frame === 'object' && !(frame instanceof Uint8Array);
        stores = isTurn && asksToStore(frame);
        const act = isTurn ? actIn(frame, options) : null;
        const known = act === null ? null : this.#known(act.id);
        frames++;
        tried = null;
        if (isTurn && act !== null && known !== null) {
          if (mayBeAskedAgain(known, act) && this.#continues()) tried = { act, frame };
          const due = toBeSeenFirst(known, act);
          if (due !== null) {
            ready = (ready ?? Promise.resolve()).then(() => this.#see(lane, act.id, known, due));
          }
        }
        const sendNow = (): void => {
          asked = this.#run.now();
          current.send(frame);
        };
        if (ready === null) sendNow();
        else ready = ready.then(sendNow);
      },
      receive: async (until) => {
        await ready;
        ready = null;
        if (tried !== null) {
          const { act, frame } = tried;
          tried = null;
          left = await turn();
          const known = this.#known(act.id);
          const stale =
            known &&
            staleTurn(
              known,
              left.map(({ json }) => json),
            );
          if (stale && (await this.#limitIsOver(stale, asked, lane))) {
            if (frames === 1) current = await this.#further.askToOpen(request);
            current.send(frame);
            left = await turn();
          }
        }
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          if (until(next)) return;
        }
        await take(until);
      },
      ping: async () => {
        await ready;
        await current.ping();
      },
      close: async () => {
        await ready;
        await current.close();
      },
      terminate: () => current.terminate(),
      exchange: async () => {
        await ready;
        return this.#learn(await current.exchange());
      },
    };
  }

  /**
   * True for a deletion or a cancel that is asked for by the maker of a response that nobody has stopped: an
   * earlier attempt that was carried out is the reason to refuse it.
   */
  mayStop(call: Call, options: CallOptions): boolean {
    const act = actOf(call, options);
    const known = act === null ? null : this.#known(act.id);
    return act !== null && known !== null && stops(known, act);
  }

  /** Null as well for an id that several have: nobody knows which of them it is. */
  #known(id: string): Known | null {
    const changes = this.#changes.get(id) ?? [];
    return isAmbiguous(changes) ? null : knownFrom(changes);
  }

  #learn(exchange: Exchange): Exchange {
    for (const change of changesIn(exchange)) this.#note(change);
    return exchange;
  }

  #note(change: Change): void {
    const all = this.#changes.get(change.id);
    if (all === undefined) this.#changes.set(change.id, [change]);
    else all.push(change);
  }

  /** A run in the background is there from the first event of its stream on. */
  #watching({ call, options }: LaneRequest): CallOptions {
    const { onFirstEvent, key = 'owner', region = '' } = options;
    const by = makerOf(key, region, textAt(call.body, 'model'));
    const isBackground = at(call.body, 'background') === true;
    if (onFirstEvent === undefined || by === null || !isBackground) return options;
    return {
      ...options,
      onFirstEvent: (data) => {
        const id = textAt(parsed(data), 'response.id');
        if (id !== null) this.#note({ id, by, stored: null });
        onFirstEvent(data);
      },
    };
  }

  #staleIn(act: Act, answer: Exchange): Stale | null {
    const known = this.#known(act.id);
    return known === null ? null : staleIn(known, act, answer);
  }

  /** Looks a response up as its maker, until that shows what was done, or the limit is over. */
  async #see(lane: string, id: string, { by }: Known, { since }: Stale): Promise<void> {
    if (!this.#further.mayAsk(lane, since === null ? null : since + this.#limitMs)) return;
    const call = lookupCall(id);
    const options: CallOptions = { key: by.key, region: by.region };
    const act: Act = { id, operation: call.operation, generates: false, by, plain: true };
    const request = { lane, call, options };
    await this.#untilItShows(act, request, () => this.#further.ask(request));
  }

  async #untilItShows(
    act: Act,
    request: LaneRequest,
    first: () => Promise<Exchange>,
  ): Promise<Exchange> {
    const { lane } = request;
    let answer = this.#learn(await first());
    const asked = answer.times.started;
    let late: Stale | null = null;
    for (let pause = firstPauseMs; ; pause = nextPause(pause)) {
      const stale = this.#staleIn(act, answer);
      if (stale === null) {
        if (late !== null) this.#tell(late, asked, answer);
        return answer;
      }
      late ??= stale;
      const end = (stale.since ?? asked) + this.#limitMs;
      // The last time is when the limit is over: what shows just before is in time.
      if (answer.times.started >= end || !this.#further.mayAsk(lane, null)) return answer;
      await this.#pause(Math.min(pause, end - this.#run.now()), lane);
      answer = this.#learn(await this.#further.ask(request));
    }
  }

  /** Waits for the end of the limit. @returns false where it was over already when the act was asked for */
  async #limitIsOver({ since }: Stale, asked: number, lane: string): Promise<boolean> {
    const end = (since ?? this.#run.now()) + this.#limitMs;
    if (!this.#further.mayAsk(lane, asked < end ? null : end)) return false;
    await this.#pause(end - this.#run.now(), lane);
    return true;
  }

  #pause(milliseconds: number, lane: string): Promise<void> {
    return this.#run.pause(Math.max(0, milliseconds), this.#scenario, lane);
  }

  /** True if an act that generates may be sent again: as often as the cost of the scenario declares. */
  #continues(): boolean {
    const { continues = 0 } = this.#scenario.costAt(this.#run.target);
    if (this.#continued++ < continues) return true;
    this.#run.undeclared.add(this.#scenario.name);
    return false;
  }

  #tell({ what, since }: Stale, asked: number, { id, times }: Exchange): void {
    const ms = Math.max(0, Math.round(times.started - (since ?? asked)));
    this.lags.push({ what, ms, exchange: formatId(id) });
  }
}

interface Frame {
  readonly text: string;
  readonly json: unknown;
}

type Until = (frame: Frame) => boolean;
