import type { HeldBy } from '../../kernel/core/index.ts';
import { chance } from '../../kernel/drawn/index.ts';
import { LiveRun, ownSignal, Traffic } from '../../kernel/engine/index.ts';
import { Recorder } from '../../kernel/recordings/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { Budget, type Most, type Reserved } from './budget.ts';
import { drawHistory } from './draw.ts';
import {
  type Added,
  addPerformed,
  type Explored,
  type Find,
  isDecided,
  nothingExplored,
  type Performed,
  withoutChance,
} from './finds.ts';
import type { History } from './history.ts';
import { judgeOf } from './judge-history.ts';
import type { Sent } from './perform.ts';
import { mostOf, performIn } from './perform-in.ts';
import { type Shown, shrunk } from './shrink.ts';
import { isBroken, sameKind, type Violation } from './violation.ts';
import { worldOf } from './world.ts';

export interface ExploreOptions {
  readonly target: Target;
  readonly seed: number;
  /** Id from which the request ids derive. Default: derived from the seed. */
  readonly runId?: string;
  /** Maximum number of generations, including those for shortening. */
  readonly generations: number;
  readonly requests: number;
  readonly ms: number;
  /** Maximum number of histories. Default: limited only by the other bounds. */
  readonly histories?: number;
  /** Number of concurrent histories. The drawn histories and their finds do not depend on it. Default: 1. */
  readonly atOnce?: number;
  /** Recorder of the exchanges, which the caller closes. Default: no recording. */
  readonly recorder?: Recorder;
  /** Called with each history after its judgement: the drawn ones in order, the attempts to shorten as they end. */
  readonly onPerformed?: (performed: Performed, added: Added) => void;
  /** Called after every change that a progress display may show. */
  readonly onMoved?: (soFar: SoFar) => void;
  /** Aborting ends the exploration with the finds so far. */
  readonly signal: AbortSignal;
}

export interface SoFar extends Most {
  readonly histories: number;
  readonly acts: number;
  readonly finds: number;
  readonly inFlight: number;
  readonly heldBy: HeldBy | null;
}

/** Maximum acts and generations of one history. Most acts are free, and show more of each generation. */
const size = { acts: 48, generations: 8 };

const fewest = 8;

/** Fraction of all generations that may be spent on shortening one find. */
const shrinkShare = 0.25;
const shrinkTries = 400;

/** Fraction of all generations reserved for shortening, so that even a find of the last history is shortened. */
const keptShare = 0.1;

/** Maximum requests for shortening one find, in histories of full size. */
const shrinkHistories = 60;

/** Number of consecutive histories without an answer after which no further requests are sent. */
const mostUnanswered = 3;

/** Number of histories, per concurrent one, by which drawing may be ahead of the oldest unfinished history. */
const ahead = 8;

/** Explores a gateway, and shortens what it finds as far as the bounds allow. */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { recorder = new Recorder(null) } = options;
  const { stop, end } = ownSignal(options.signal, options.ms);
  const judge = await judgeOf(options.target);
  try {
    return await new Exploration({ ...options, recorder }, stop, judge).explored();
  } finally {
    end();
  }
}

type Planned = Pick<Performed, 'name' | 'number' | 'drawn' | 'history'>;

interface Ended extends Planned {
  readonly sent: ReadonlyMap<number, Sent>;
  readonly violations: readonly Violation[];
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #stop: AbortSignal;
  readonly #judge: Awaited<ReturnType<typeof judgeOf>>;
  readonly #world;
  readonly #traffic = new Traffic();
  readonly #run: LiveRun;
  readonly #budget: Budget;
  readonly #explored: Explored;
  readonly #ended = new Map<number, Ended>();
  #begun = 0;
  /** Number of histories in progress, including the shortening of their finds. */
  #underWay = 0;
  #tries = 0;
  #hasFailed = false;
  /** Number of consecutive histories without any answer. */
  #unanswered = 0;
  #nobodyThere: string | null = null;
  #waiting: (() => void)[] = [];

  constructor(
    options: ExploreOptions & { readonly recorder: Recorder },
    stop: AbortSignal,
    judge: Awaited<ReturnType<typeof judgeOf>>,
  ) {
    const { target, seed, runId = runIdOf(seed), generations, requests, recorder } = options;
    this.#options = options;
    this.#stop = stop;
    this.#judge = judge;
    this.#world = worldOf(target);
    this.#run = new LiveRun({
      ...{ target, seed, runId, stop, traffic: this.#traffic, recorder },
      // Bounds all requests of the run, because no history reserves the polls for a lagging node.
      ...{ requests, onlyPlanned: true, keepsConnections: true },
    });
    this.#budget = new Budget({ generations, requests }, () => this.#traffic);
    this.#explored = nothingExplored(seed);
    const { onMoved } = options;
    if (onMoved !== undefined) this.#run.onMoved(() => onMoved(this.#soFar));
  }

  async explored(): Promise<Explored> {
    const { atOnce = 1 } = this.#options;
    const rows = Array.from({ length: atOnce }, () => this.#row());
    const failed = (await Promise.allSettled(rows)).find(({ status }) => status === 'rejected');
    this.#run.end();
    if (failed?.status === 'rejected') throw failed.reason;
    if (!this.#stop.aborted) this.#explored.givenUp = this.#givenUp;
    withoutChance(this.#explored);
    return this.#explored;
  }

  get #soFar(): SoFar {
    const { histories, acts, finds } = this.#explored;
    const { generations, requests, inFlight } = this.#traffic;
    const { heldBy } = this.#run;
    return { histories, acts, finds: finds.length, generations, requests, inFlight, heldBy };
  }

  async #row(): Promise<void> {
    try {
      for (let next = this.#next(); next !== 'over'; next = this.#next()) {
        if (next === 'wait') await new Promise<void>((resolve) => this.#waiting.push(resolve));
        else {
          this.#underWay++;
          await this.#performDrawn(next.planned, next.reserved).finally(() => this.#underWay--);
          this.#tell();
        }
      }
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#tell();
    }
  }

  get #givenUp(): string | null {
    return this.#run.retries.givenUp?.message ?? this.#nobodyThere;
  }

  /** Counts unanswered histories, because an unreachable gateway would make further histories pointless. */
  #look(sent: ReadonlyMap<number, Sent>): void {
    const exchanges = [...sent.values()].map(({ exchange }) => exchange);
    const isAnswered = exchanges.some(({ response }) => response !== null);
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1;
    if (this.#unanswered < mostUnanswered) return;
    const failure = exchanges.at(-1)?.failure?.message ?? 'nothing could be sent';
    this.#nobodyThere ??= `nothing of ${mostUnanswered} histories was answered: ${failure}`;
  }

  get #isOver(): boolean {
    return this.#stop.aborted || this.#hasFailed || this.#givenUp !== null;
  }

  #next(): { readonly planned: Planned; readonly reserved: Reserved } | 'wait' | 'over' {
    const { histories = Number.POSITIVE_INFINITY, atOnce = 1 } = this.#options;
    if (this.#isOver || this.#begun >= histories) return 'over';
    if (this.#begun - this.#explored.histories >= ahead * atOnce) return 'wait';
    const number = this.#begun + 1;
    const whole = this.#drawn(number, size);
    const { generations, requests } = this.#budget.left;
    const kept = Math.floor(keptShare * this.#options.generations);
    const left = { generations: generations - kept, requests };
    const isLast = this.#underWay === 0;
    // Other histories release the unused part of their reservation when they end.
    const history = fits(whole, left) ? whole : isLast ? this.#drawnWithin(number, left) : null;
    if (history === null) return isLast ? 'over' : 'wait';
    const reserved = this.#budget.reserve(mostOf(history));
    if (reserved === null) return 'over';
    this.#begun = number;
    return {
      planned: { name: `explore/${number}`, number, drawn: true, history },
      reserved,
    };
  }

  #drawn(number: number, within: typeof size): History {
    const { random } = chance(this.#options.seed, `explore/${number}`);
    return random((faker) => drawHistory(faker, this.#world, within));
  }

  /** Returns the largest history within the remaining budget, or null. */
  #drawnWithin(number: number, left: Most): History | null {
    for (let { acts } = size; acts >= fewest; acts--) {
      for (let { generations } = size; generations > 0; generations--) {
        const history = this.#drawn(number, { acts, generations });
        if (fits(history, left)) return history;
      }
    }
    return null;
  }

  async #performDrawn(planned: Planned, reserved: Reserved): Promise<void> {
    const { number } = planned;
    this.#ended.set(number, await this.#performed(planned, reserved));
    const found: [number, Find][] = [];
    // Histories are added in order, regardless of which ended first.
    for (let next = this.#explored.histories + 1; this.#ended.has(next); next++) {
      const ended = this.#ended.get(next);
      this.#ended.delete(next);
      if (ended === undefined) continue;
      found.push(...this.#added(ended).map((find): [number, Find] => [next, find]));
    }
    this.#tell();
    // Finds that first show while another one is shortened are shortened, too.
    for (let one = found.shift(); one !== undefined; one = found.shift()) {
      const [foundIn, find] = one;
      // Generations are spent only on requirements at level MUST.
      if (find.violation.level !== 'MUST') continue;
      const also = await this.#shorten(foundIn, find);
      found.push(...also.map((more): [number, Find] => [foundIn, more]));
    }
  }

  async #performed(planned: Planned, reserved: Reserved): Promise<Ended> {
    try {
      const sent = await performIn(this.#run, planned.name, planned.history);
      this.#look(sent);
      return { ...planned, sent, violations: this.#judge.violationsIn(sent) };
    } finally {
      this.#budget.release(reserved);
      const { generations, requests } = this.#traffic;
      Object.assign(this.#explored, { generations, requests });
      this.#tell();
    }
  }

  #added(ended: Ended): readonly Find[] {
    const added = addPerformed(this.#explored, ended);
    this.#options.onPerformed?.(ended, added);
    return added.found;
  }

  async #shorten(number: number, { violation, history, sent }: Find): Promise<readonly Find[]> {
    const { left } = this.#budget;
    const share = this.#budget.reserve({
      generations: Math.min(left.generations, Math.ceil(this.#options.generations * shrinkShare)),
      requests: Math.min(left.requests, shrinkHistories * (size.acts + size.generations)),
    });
    if (share === null) return [];
    const also: Find[] = [];
    const shows = async (shorter: History): Promise<Shown> => {
      const reserved = this.#isOver ? null : this.#budget.reserve(mostOf(shorter), share);
      if (reserved === null) return 'unknown';
      const name = `explore/${number}-${violation.n}-shorter-${++this.#tries}`;
      const planned = { name, number, drawn: false, history: shorter };
      const ended = await this.#performed(planned, reserved);
      also.push(...this.#added(ended));
      const same = ended.violations.find((one) => sameKind(one, violation));
      return same?.n ?? (isDecided(ended.sent) ? null : 'unknown');
    };
    try {
      // A restart breaks a connection only once, so such a find is not shortened.
      const isOnce = isBroken(violation.exchange) && (await shows(history)) !== violation.n;
      if (isOnce) return also;
      const before = this.#drawn(number - 1, size);
      const bounds = { tries: shrinkTries, generations: share.generations, before };
      await shrunk(history, violation.n, shows, bounds, sent);
    } finally {
      this.#budget.release(share);
      this.#tell();
    }
    return also;
  }

  #tell(): void {
    for (const told of this.#waiting.splice(0)) told();
  }
}

function fits(history: History, left: Most): boolean {
  const most = mostOf(history);
  return most.generations <= left.generations && most.requests <= left.requests;
}

/** Id of the only exploration of a gateway with this seed. */
export function runIdOf(seed: number): string {
  return `explore-${seed}`;
}
