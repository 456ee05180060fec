import { type Exchange, formatId, type Points } from '../core/index.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from './failure.ts';
import { sentInWords } from './wording.ts';

/** Result of a judgement that held at many points. The verdict gives their number. */
export class JudgedPoints {
  readonly points: Points;

  constructor(points: Points) {
    this.points = points;
  }
}

export interface PointsOptions {
  /** Word for a point. Default: `point`. */
  readonly noun?: string;
  /** Requires every point to be decided: an undecided one makes the whole inconclusive. */
  readonly needsAll?: boolean;
}

const broken = new WeakMap<Points, ReadonlySet<string>>();

/** Returns the ids of the exchanges at which a requirement with points does not hold. */
export function brokenAt(points: Points): ReadonlySet<string> {
  return broken.get(points) ?? new Set();
}

const mostNamed = 3;

export class ManyPoints {
  readonly #options: PointsOptions;
  #held = 0;
  #broken = 0;
  /** Only the first failure and the names to show are kept, because there may be very many. */
  #first: ExpectationFailed | null = null;
  readonly #names = new Set<string>();
  readonly #ids = new Set<string>();
  #undecided: Inconclusive | null = null;
  #nothing: NothingToJudge | null = null;

  constructor(options: PointsOptions = {}) {
    this.#options = options;
  }

  /**
   * Judges at one point. An undecided one, or one with nothing to judge, does not count.
   *
   * @param name of the point, for readers, or the exchange that it is
   */
  at(name: string | Exchange, judgement: () => unknown): void {
    try {
      judgement();
      this.#held++;
    } catch (error) {
      if (error instanceof ExpectationFailed) this.#isBroken(name, error);
      else if (error instanceof Inconclusive) this.#undecided ??= error;
      else if (error instanceof NothingToJudge) this.#nothing ??= error;
      else throw error;
    }
  }

  /** Adds the points of the same judgement on other exchanges. */
  add(other: ManyPoints): void {
    this.#held += other.#held;
    this.#broken += other.#broken;
    this.#first ??= other.#first;
    for (const name of other.#names) if (this.#names.size <= mostNamed) this.#names.add(name);
    for (const id of other.#ids) this.#ids.add(id);
    this.#undecided ??= other.#undecided;
    this.#nothing ??= other.#nothing;
  }

  /** The first failure, or null. */
  get offence(): ExpectationFailed | null {
    return this.#first;
  }

  /** True if nothing has been decided: there was no point, or all were undecided. */
  get isEmpty(): boolean {
    return this.#held === 0 && this.#broken === 0;
  }

  /** @throws {ExpectationFailed | Inconclusive | NothingToJudge} unless all decided points hold */
  end(): JudgedPoints {
    const { noun = 'point', needsAll = false } = this.#options;
    const points: Points = { judged: this.#held + this.#broken, broken: this.#broken };
    broken.set(points, this.#ids);
    if (this.#first !== null) {
      const named = [...this.#names].slice(0, mostNamed).join(', ');
      const more = this.#names.size > mostNamed ? ', …' : '';
      const where = `in ${points.broken} of ${points.judged} ${noun}s: ${named}${more}`;
      throw this.#first.told(`${this.#first.actual} (${where})`, points);
    }
    if (this.#undecided !== null && (needsAll || points.judged === 0)) throw this.#undecided;
    if (points.judged === 0) {
      throw this.#nothing ?? new NothingToJudge(`there is no ${noun} that it applies to`);
    }
    return new JudgedPoints(points);
  }

  #isBroken(name: string | Exchange, failure: ExpectationFailed): void {
    this.#broken++;
    this.#first ??= failure;
    if (failure.exchange !== null) this.#ids.add(formatId(failure.exchange.id));
    if (this.#names.size > mostNamed) return;
    this.#names.add(typeof name === 'string' ? name : sentInWords(name));
  }
}

/**
 * Judges a requirement at each of many points.
 *
 * ```ts
 * check(id, made, ({ acts }) => judgeEach(acts, ({ name }) => name, (act) => expect(…)…));
 * ```
 */
export function judgeEach<Point>(
  points: Iterable<Point>,
  nameOf: (point: Point) => string,
  judgement: (point: Point) => unknown,
  options: PointsOptions = {},
): JudgedPoints {
  const many = new ManyPoints(options);
  for (const point of points) many.at(nameOf(point), () => judgement(point));
  return many.end();
}

/**
 * Judges by the first evidence that decides anything.
 *
 * @throws {Inconclusive | NothingToJudge} of the last evidence, if none decides
 */
export function judgeByFirst(...evidence: readonly (() => void)[]): void {
  let undecided: unknown;
  for (const judgement of evidence) {
    try {
      judgement();
      return;
    } catch (error) {
      const decidesNothing = error instanceof Inconclusive || error instanceof NothingToJudge;
      if (!decidesNothing) throw error;
      undecided = error;
    }
  }
  throw undecided;
}
