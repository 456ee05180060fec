import {
  type Exchange,
  type ExchangeId,
  exchangeId,
  formatSender,
  over,
  type StreamingProtocol,
  streamingProtocols,
} from '../../core/index.ts';
import { chance } from '../../drawn/index.ts';
import { type Call, type CallOptions, protocolModules } from '../../protocols/index.ts';
import type { Load } from '../../recordings/index.ts';
import { type Limits, permittedKeys, type Target } from '../../targets/index.ts';
import { type Held, retryAfterMs } from '../../wire/index.ts';

export function isLoad({ id }: Pick<Exchange, 'id'>): boolean {
  return id.origin === 'load';
}

interface Kind {
  readonly protocol: StreamingProtocol;
  readonly stream: boolean;
  readonly model: string;
  readonly options: CallOptions;
}

/**
 * Returns the kinds of generation that each key may request. Only protocols with an output limit, so that the cost
 * is known. Keys alternate, so that generations of different users are in flight together.
 */
export function kindsOfLoad({ models, regions, keys }: Target): readonly Kind[] {
  const kinds = models.flatMap((model) =>
    streamingProtocols
      .filter((protocol) => model.protocols.includes(protocol))
      .flatMap((protocol) => {
        const streams = model.supports.includes(over('stream', protocol));
        return permittedKeys(model)
          .filter((key) => key === 'owner' || keys[key] !== undefined)
          .flatMap((key) =>
            (model.regions ?? regions.slice(0, 1).map(({ name }) => name)).flatMap((region) =>
              (streams ? [false, true] : [false]).map((stream): Kind => {
                return { protocol, stream, model: model.id, options: { key, region } };
              }),
            ),
          );
      }),
  );
  const rank = new Map<string, number>();
  const ranked = kinds.map((kind) => {
    const key = kind.options.key ?? '';
    const own = rank.get(key) ?? 0;
    rank.set(key, own + 1);
    return { kind, own };
  });
  return ranked.sort((one, other) => one.own - other.own).map(({ kind }) => kind);
}

/**
 * Minimum number of generations per step of the run: with fewer in flight, the gaps between them leave requests of
 * the run without concurrent load.
 */
const fewestInTurn = 4;

/**
 * Returns the maximum number of generations needed to keep `inFlight` of them in flight, for as many consecutive
 * steps as the longest chain of requests has, or as generations wait for a slot. Null: the target serves none that
 * load may request.
 */
export function mostOfLoad(
  {
    longestChain,
    expectedGenerations,
  }: Readonly<Record<'longestChain' | 'expectedGenerations', number>>,
  target: Target,
  inFlight: number,
): number | null {
  if (kindsOfLoad(target).length === 0) return null;
  const inTurn = Math.ceil(expectedGenerations / target.limits.concurrency);
  return Math.max(fewestInTurn, inFlight) * Math.max(1, longestChain, inTurn);
}

/** Returns the limits of a run with load: half of the permitted rate is left for the run. */
export function besideLoad(limits: Limits, load: Load | undefined): Limits {
  const { requestsPerSecond: rate } = limits;
  if (load === undefined || rate === null) return limits;
  return { ...limits, requestsPerSecond: rate / 2, mostRequestsPerSecond: rate / 2 };
}

export interface LoadOptions extends Load {
  readonly target: Target;
  readonly seed: number;
  readonly stop: AbortSignal;
  send(id: ExchangeId, call: Call, options: CallOptions): Promise<Exchange>;
  /** Returns the fraction of the requests of the run that were sent, from 0 to 1. */
  progress(): number;
  /** Returns the reason why the run may send nothing at this moment, or null. */
  heldUntil(now: number): Held | null;
  isGivenUp(): boolean;
}

/** Fraction of generations that may begin early, if a request of the run has no load. */
const aheadShare = 0.25;

/** Milliseconds without a new generation after a failed one. Doubles up to the longest. */
const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * Keeps generations in flight during a run. If their budget would end before the run does, new ones wait for the
 * progress of the run. A generation that was put off or failed is not retried: a new one follows later.
 */
export class LoadOfRun implements Load {
  readonly inFlight: number;
  readonly generations: number;
  /** Resolves when the first generation has ended: the load is established from then on. */
  readonly begun: Promise<void>;
  readonly #options: LoadOptions;
  readonly #kinds: readonly Kind[];
  readonly #exchanges: Exchange[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #spacingMs: number;
  #asked = 0;
  #hasBegun: () => void = () => {};
  #isOver = false;
  #holdUntil = 0;
  #pauseMs = shortestPauseMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoadOptions) {
    this.inFlight = options.inFlight;
    this.generations = options.generations;
    this.#options = options;
    this.#kinds = kindsOfLoad(options.target);
    this.begun = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
    const { requestsPerSecond } = besideLoad(options.target.limits, options);
    this.#spacingMs = requestsPerSecond === null ? 0 : 1_000 / requestsPerSecond;
  }

  /** To be called before the run sends a request, which is not to be sent without concurrent load. */
  beside(): void {
    this.#look(Math.ceil(this.generations * aheadShare));
  }

  /** Starts as many generations as may be in flight now. To be called when the run has begun. */
  look(): void {
    this.#look(0);
  }

  /** @param ahead number of generations that may begin ahead of schedule if none is in flight */
  #look(ahead: number): void {
    clearTimeout(this.#timer);
    const { stop, isGivenUp } = this.#options;
    const isDue = (): boolean =>
      this.#asked < Math.min(this.generations, this.#due + (this.#underWay.size === 0 ? ahead : 0));
    while (this.#underWay.size < this.inFlight && isDue()) {
      if (this.#isOver || stop.aborted || isGivenUp()) {
        this.#hasBegun();
        return;
      }
      const now = performance.now();
      const until = this.#heldUntil(now);
      if (until > now) {
        this.#timer = setTimeout(() => this.#look(ahead), Math.ceil(until - now)).unref();
        return;
      }
      this.#holdUntil = now + this.#spacingMs;
      this.#ask(this.#asked++);
    }
  }

  /** Starts no further generation. @returns all exchanges of the load, after the last has ended */
  async end(): Promise<readonly Exchange[]> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay);
    return this.#exchanges;
  }

  /** Number of generations that may have begun by now. */
  get #due(): number {
    return this.inFlight + Math.floor(this.generations * this.#options.progress());
  }

  #heldUntil(now: number): number {
    const held = this.#options.heldUntil(now);
    // Only limits of the gateway delay the load as well. The run's own pace does not.
    const isGateway = held !== null && (held.by === 'rate-limit' || held.by === 'lockout');
    return Math.max(this.#holdUntil, isGateway ? held.until : 0);
  }

  #ask(number: number): void {
    const kind = this.#kinds[number % this.#kinds.length];
    if (kind === undefined) throw new Error('There is nothing to ask for.');
    const { target, seed, send } = this.#options;
    const id = exchangeId({ origin: 'load', scenario: `${number}` });
    const { sentence, word } = chance(seed, formatSender(id));
    const { request } = protocolModules[kind.protocol];
    const defaults = {
      model: kind.model,
      maxOutputTokens: target.limits.maxOutputTokens,
      input: sentence(word()),
    };
    const body = request.generation(defaults, target.systemone);
    const make = (kind.stream ? request.streamCall : null) ?? request.call;
    const ended = send(id, make(body, kind.model), kind.options).then((exchange) => {
      this.#underWay.delete(ended);
      this.#exchanges.push(exchange);
      this.#hasBegun();
      this.#learn(exchange);
      this.look();
    });
    this.#underWay.add(ended);
  }

  /** Pauses after a generation that was not served. The generation itself is not retried. */
  #learn({ response, failure }: Exchange): void {
    if (failure === null && response !== null && response.status < 300) {
      this.#pauseMs = shortestPauseMs;
      return;
    }
    const told = response === null ? null : retryAfterMs(response.headers, Date.now());
    const until = performance.now() + (told ?? this.#pauseMs);
    this.#holdUntil = Math.max(this.#holdUntil, until);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
  }
}
