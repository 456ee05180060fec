import type { HeldBy } from '../core/index.ts';
import type { Held } from './limiter.ts';

export interface PaceOptions {
  /** Null: as fast as can be. */
  readonly perSecond: number | null;
  /** What holds back where it is this number. */
  readonly by: HeldBy;
  /** What holds back where the gateway asked for less, by what it answered. */
  readonly learnedBy: HeldBy;
  /** Waits for nobody's sake any longer than that without an answer between, in milliseconds. */
  readonly patienceMs: number;
}

/** Of what a gateway took on average, this share is asked of it afterwards. */
const share = 0.9;
/** So often a pace that was learned grows, the more seldom the oftener it was put off, and to so many times itself. */
const growthMs = 5_000;
const growth = 1.05;
/** So many times as long is waited where what was learned was not enough. */
const slower = 1.15;
/** So much longer than learned is waited where nothing may be put off again. */
const careful = 1.5;

/**
 * How fast requests may follow one another: as the user says, and slower where the gateway puts them off. It
 * is then asked for a little less than what it took on average so far, the time counted in for which it
 * wanted to be left alone. Nothing is sent again for that: it holds back what has not been sent.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #spacing: number;
  #grows = true;
  #timesPutOff = 0;
  #learned = 0;
  #learnedLast = 0;
  #learnedAt = 0;
  #first: number | null = null;
  #last = Number.NEGATIVE_INFINITY;
  #taken = 0;
  #holdsFrom = 0;
  #until = 0;
  /** When it was first put off since anything was taken. */
  #putOffSince: number | null = null;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#spacing = options.perSecond === null ? 0 : 1_000 / options.perSecond;
  }

  heldUntil(now: number): Held | null {
    const { by, learnedBy } = this.#options;
    // The first behind a pause need not wait any longer.
    const learned = this.#last < this.#until ? this.#until : this.#last + this.#learned;
    const waits: Held[] = [
      { until: this.#last + this.#spacing, by },
      { until: learned, by: learnedBy },
    ];
    const [longest] = waits.sort((one, other) => other.until - one.until);
    return longest !== undefined && longest.until > now ? longest : null;
  }

  started(now: number): void {
    this.#first ??= now;
    this.#last = now;
    if (!this.#grows || now - this.#learnedAt < growthMs * 2 ** this.#timesPutOff) return;
    this.#learnedAt = now;
    this.#learned /= growth;
  }

  /** From now on it is not tried whether more is taken: a good deal less is asked for than was learned last. */
  stopGrowing(): void {
    this.#grows = false;
    this.#learned = this.#learnedLast * careful;
  }

  /** A request was answered, whatever with. */
  took(): void {
    this.#taken++;
    this.#putOffSince = null;
  }

  /**
   * A request was put off.
   *
   * @param sentAt when it was sent: what was under way when others were put off says nothing new
   * @param milliseconds for which the gateway wants to be left alone; null: it does not say
   */
  putOff(now: number, sentAt: number, milliseconds: number | null): void {
    if (sentAt < this.#holdsFrom) return;
    // Who says nothing, and has never taken anything, will not take anything for being waited for.
    if (milliseconds === null && this.#taken === 0) return;
    this.#putOffSince ??= now;
    const patience = this.#options.patienceMs - (now - this.#putOffSince);
    const wait = Math.min(milliseconds ?? 1_000, patience);
    if (wait <= 0) return;
    this.#holdsFrom = now;
    this.#until = now + wait;
    this.#timesPutOff++;
    this.slowDown(this.#until);
  }

  /** So long at least from one to the next, in milliseconds. */
  keepApart(milliseconds: number): void {
    this.#learned = milliseconds;
    this.#learnedLast = milliseconds;
    this.#grows = false;
  }

  /** What was asked so far, until some moment, was more than the gateway takes. */
  slowDown(until: number): void {
    if (this.#first === null) return;
    const average = (until - this.#first) / Math.max(1, this.#taken);
    // Later averages are those of the pace that was learned, and not of what the gateway takes.
    this.#learned = this.#learned > 0 ? this.#learned * slower : average / share;
    this.#learnedLast = this.#learned;
    this.#learnedAt = until;
  }
}
