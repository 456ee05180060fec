import type { HeldBy } from '../core/index.ts';
import type { Held } from './limiter.ts';

interface PaceOptions {
  /** Requests per second, or null for no limit. */
  readonly perSecond: number | null;
  /** Reason to report if `perSecond` holds requests back. */
  readonly by: HeldBy;
  /** Reason to report if the answers of the gateway asked for a slower pace. */
  readonly learnedBy: HeldBy;
  /** Waits for nobody's sake any longer than that without an answer between, in milliseconds. */
  readonly patienceMs: number;
}

/** Share of the average rate that a gateway accepted at which it is asked afterwards. */
const share = 0.9;
/**
 * Milliseconds after which a learned pace grows by the factor `growth`. They double each time a request is
 * put off.
 */
const growthMs = 5_000;
const growth = 1.05;
/** Factor by which the learned distance between requests grows if it proved too short. */
const slower = 1.15;
/** Factor on the learned distance between requests once no more of them may be put off. */
const careful = 1.5;

/**
 * Paces requests: as the user configured, and slower if the gateway puts requests off. It is then asked at
 * a little less than the average rate that it accepted so far, the pauses it asked for included. No request
 * is sent again for that: only requests that were not sent yet are delayed.
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
  /** Time of the first refusal since a request was last accepted. */
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

  /** Stops probing for a faster pace, and continues well below the one that was learned last. */
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
    // A gateway that names no delay and has answered nothing so far will not do so after a wait either.
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

  /** Sets the least number of milliseconds between two requests, which does not shrink again. */
  keepApart(milliseconds: number): void {
    this.#learned = milliseconds;
    this.#learnedLast = milliseconds;
    this.#grows = false;
  }

  /** Learns a slower pace: the requests until `until` were more than the gateway accepts. */
  slowDown(until: number): void {
    if (this.#first === null) return;
    const average = (until - this.#first) / Math.max(1, this.#taken);
    // Later averages are those of the pace that was learned, and not of what the gateway takes.
    this.#learned = this.#learned > 0 ? this.#learned * slower : average / share;
    this.#learnedLast = this.#learned;
    this.#learnedAt = until;
  }
}
