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

/** Sends the requests that wait for the store. */
interface FurtherRequests {
  mayAsk(lane: string, before: number | null): boolean;
  ask(request: LaneRequest): Promise<Exchange>;
  askToOpen(request: LaneRequest): Promise<SocketSession>;
}

/**
 * Waits for a store with several nodes; no other module does. A response that was just stored, cancelled or deleted
 * need not show the change on every node at once: within `limits.consistencyMs` an answer that does not show it yet
 * decides nothing, and the act is repeated.
 *
 * - A free act is polled itself, until the change shows or the limit ends. The last answer is judged, whichever
 *   node sent it.
 * - An act that costs a generation cannot be polled. A plain lookup is polled first, and then the act is sent once.
 *   One node that shows a response does not mean that the next one does: if the act is answered as if nothing had
 *   been done, it is repeated once after the limit, and that answer counts. A conforming gateway refused the first
 *   attempt, which cost nothing.
 * - Before other keys are denied a response, its maker has to have seen it: otherwise they might be denied a
 *   response that is not there yet. A history, which sends such requests concurrently, does without the lookup.
 *
 * Polls have separate numbers, so that the ids of all other requests do not depend on the waiting.
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

  /** @param before exchanges of the prerequisites */
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

  /** @param first sends the first attempt */
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

  /** Wraps a socket so that its turns wait, too. Repeating a first turn opens another connection. */
  session(request: LaneRequest, opened: SocketSession): SocketSession {
    const { lane, options } = request;
    const by = makerOf(options.key ?? 'owner', options.region ?? '', null);
    let current = opened;
    /** Resolves when the named response has been seen; frames are sent after it. */
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
   * True for a deletion or a cancel by the maker of a response that was neither deleted nor stopped. A refusal of a
   * retry then means that an earlier attempt was carried out.
   */
  mayStop(call: Call, options: CallOptions): boolean {
    const act = actOf(call, options);
    const known = act === null ? null : this.#known(act.id);
    return act !== null && known !== null && stops(known, act);
  }

  /** Null, too, for an id that several responses have: a request with it is ambiguous. */
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

  /** Notes a background response at the first event of its stream, because it exists from then on. */
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

  /** Looks a response up as its maker, until the lookup shows the change or the limit ends. */
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
      // The last poll is sent after the limit: a change that shows just before it is in time.
      if (answer.times.started >= end || !this.#further.mayAsk(lane, null)) return answer;
      await this.#pause(Math.min(pause, end - this.#run.now()), lane);
      answer = this.#learn(await this.#further.ask(request));
    }
  }

  /** Waits for the end of the limit. @returns false if the act was requested after the limit */
  async #limitIsOver({ since }: Stale, asked: number, lane: string): Promise<boolean> {
    const end = (since ?? this.#run.now()) + this.#limitMs;
    if (!this.#further.mayAsk(lane, asked < end ? null : end)) return false;
    await this.#pause(end - this.#run.now(), lane);
    return true;
  }

  #pause(milliseconds: number, lane: string): Promise<void> {
    return this.#run.pause(Math.max(0, milliseconds), this.#scenario, lane);
  }

  /** True if an act that generates may be repeated: as often as the cost of the scenario declares. */
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
