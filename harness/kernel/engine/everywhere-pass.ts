import { ManyPoints } from '../judge/index.ts';
import type { Everywhere } from './registry.ts';
import type { TargetRun } from './session.ts';
import { Turns } from './turns.ts';
import type { WholeRun } from './whole-run.ts';

/** Points of a requirement that is judged at every exchange. */
export interface Judged {
  readonly points: ManyPoints;
  /** Internal error that kept it from being judged, or null. */
  readonly broken: { readonly error: unknown } | null;
}

/** To be filled by `judgeAt`. */
export function pointsOfExchanges(): ManyPoints {
  return new ManyPoints({ noun: 'exchange' });
}

/** Milliseconds of judging between two turns of the event loop. */
const atATime = 20;

/**
 * All that is judged everywhere in a run goes together from one exchange to the next: what was read from a long
 * answer is forgotten behind it, and read once.
 */
class Pass {
  readonly #all: { points: ManyPoints; broken: Judged['broken']; by: Everywhere }[] = [];
  #over: Promise<void> | null = null;

  get hasBegun(): boolean {
    return this.#over !== null;
  }

  judging(by: Everywhere): { over(whole: WholeRun): Promise<Judged> } {
    const own = { points: pointsOfExchanges(), broken: null, by };
    this.#all.push(own);
    return {
      over: async (whole) => {
        this.#over ??= this.#judge(whole);
        await this.#over;
        return own;
      },
    };
  }

  async #judge(whole: WholeRun): Promise<void> {
    const turns = new Turns(atATime);
    for (const exchange of whole.exchanges) {
      for (const one of this.#all) {
        if (one.broken !== null) continue;
        try {
          one.by.judgeAt(exchange, whole, one.points);
        } catch (error) {
          one.broken = { error };
        }
        await turns.giveWay();
      }
    }
  }
}

const passes = new WeakMap<TargetRun, Pass>();

/** The pass of a run that has not begun. */
export function passOf(run: TargetRun): Pass {
  const known = passes.get(run);
  if (known !== undefined && !known.hasBegun) return known;
  const pass = new Pass();
  passes.set(run, pass);
  return pass;
}
