import type { Points } from '../core/verdict.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from './failure.ts';

/** What a judgement gives that held at many points: the verdict says at how many. */
export class JudgedPoints {
  readonly points: Points;

  constructor(points: Points) {
    this.points = points;
  }
}

export interface PointsOptions {
  /** What a point is, in words. Default: `point`. */
  readonly noun?: string;
  /** Every point has to be judged: one that decides nothing leaves all of it inconclusive. */
  readonly needsAll?: boolean;
}

/** So many of the points at which a requirement does not hold are named. */
const mostNamed = 3;

/** Judges a requirement at many points, and joins what each of them came to. */
export class ManyPoints {
  readonly #options: PointsOptions;
  #held = 0;
  readonly #broken: { readonly failure: ExpectationFailed; readonly name: string }[] = [];
  #undecided: Inconclusive | null = null;
  #nothing: NothingToJudge | null = null;

  constructor(options: PointsOptions = {}) {
    this.#options = options;
  }

  /**
   * Judges at one point. What decides nothing there, or has nothing to judge, is no point.
   *
   * @param name of the point, for readers
   */
  at(name: string, judgement: () => unknown): void {
    try {
      judgement();
      this.#held++;
    } catch (error) {
      if (error instanceof ExpectationFailed) this.#broken.push({ failure: error, name });
      else if (error instanceof Inconclusive) this.#undecided ??= error;
      else if (error instanceof NothingToJudge) this.#nothing ??= error;
      else throw error;
    }
  }

  /** Nothing has been judged: there was no point, or none that decides anything. */
  get isEmpty(): boolean {
    return this.#held === 0 && this.#broken.length === 0;
  }

  /**
   * @throws {ExpectationFailed} of the first point where it does not hold, with the number of them
   * @throws {Inconclusive | NothingToJudge} where there was no point
   */
  end(): JudgedPoints {
    const { noun = 'point', needsAll = false } = this.#options;
    const points = { judged: this.#held + this.#broken.length, broken: this.#broken.length };
    const [first] = this.#broken;
    if (first !== undefined) {
      const { expected, actual, exchange } = first.failure;
      const names = [...new Set(this.#broken.map(({ name }) => name))];
      const named = names.slice(0, mostNamed).join(', ');
      const more = names.length > mostNamed ? ', …' : '';
      const where = `in ${points.broken} of ${points.judged} ${noun}s: ${named}${more}`;
      throw new ExpectationFailed(expected, `${actual} (${where})`, exchange, points);
    }
    if (this.#undecided !== null && (needsAll || points.judged === 0)) throw this.#undecided;
    if (points.judged === 0) {
      throw this.#nothing ?? new NothingToJudge(`there is no ${noun} that it applies to`);
    }
    return new JudgedPoints(points);
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
 * @throws {Inconclusive | NothingToJudge} what the last came to, where none decides
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
