import type { HeldBy } from '../core/index.ts';
import type { Held } from './limiter.ts';

interface PaceOptions {
  /** Requests per second, or null for no limit. */
  readonly perSecond: number | null;
  /** Rate up to which `perSecond` may grow while the gateway shows no sign of load. Default: no growth. */
  readonly mostPerSecond?: number | undefined;
  /** Number of answers without a sign of load after which the rate doubles. Default: it never does. */
  readonly step?: number;
  /** Reason to report if `perSecond` delays requests. */
  readonly by: HeldBy;
  /** Reason to report if a pace that was learned from the gateway's answers delays requests. */
  readonly learnedBy: HeldBy;
  /** Maximum time to wait for a gateway that accepts no request, in milliseconds. */
  readonly patienceMs: number;
}

/** Factor on the average accepted rate that gives the learned rate. */
const share = 0.9;
/** Milliseconds after which a learned pace grows by the factor `growth`. Doubles with each throttled request. */
const growthMs = 5_000;
const growth = 1.05;
/** Factor by which the learned interval between requests grows if it proved too short. */
const slower = 1.15;
/** Factor on the learned interval once no further throttling is acceptable. */
const careful = 1.5;

/**
 * Paces requests as configured, and slower if the gateway throttles. The learned rate is slightly below the average
 * rate that the gateway has accepted, pauses included. Nothing is retried here: only requests that were not sent
 * yet are delayed.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Milliseconds between two requests, and the least that they may become. */
  #spacing: number;
  #leastSpacing: number;
  /** Answers since the rate last doubled. */
  #quiet = 0;
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
  /** Time of the first throttled request since one was last accepted. */
  #putOffSince: number | null = null;

  constructor(options: PaceOptions) {
    this.#options = options;
    const { perSecond, mostPerSecond = perSecond } = options;
    this.#spacing = spacingFor(perSecond);
    this.#leastSpacing = spacingFor(mostPerSecond);
  }

  heldUntil(now: number): Held | null {
    const { by, learnedBy } = this.#options;
    // The first request after a pause need not wait any longer.
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

  /** Stops probing for a faster pace, and continues well below the last learned one. */
  stopGrowing(): void {
    this.#grows = false;
    this.#learned = this.#learnedLast * careful;
  }

  /** Records that a request was answered, with any status. */
  took(): void {
    this.#taken++;
    this.#putOffSince = null;
    const { step = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#spacing <= this.#leastSpacing || ++this.#quiet < step) return;
    this.#quiet = 0;
    this.#spacing = Math.max(this.#leastSpacing, this.#spacing / 2);
  }

  /** Returns to the first rate for good: the gateway showed a sign of load. */
  strained(): void {
    this.#spacing = spacingFor(this.#options.perSecond);
    this.#leastSpacing = this.#spacing;
  }

  /**
   * Records that a request was throttled.
   *
   * @param sentAt time of sending: requests that were in flight during an earlier throttling are ignored
   * @param milliseconds delay that the gateway requested, or null if it names none
   */
  putOff(now: number, sentAt: number, milliseconds: number | null): void {
    if (sentAt < this.#holdsFrom) return;
    // If the gateway names no delay and has answered nothing so far, waiting will not help.
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

  /** Sets the minimum interval between two requests, in milliseconds. It does not shrink again. */
  keepApart(milliseconds: number): void {
    this.#learned = milliseconds;
    this.#learnedLast = milliseconds;
    this.#grows = false;
  }

  /** Learns a slower pace: the gateway did not accept the rate of requests up to `until`. */
  slowDown(until: number): void {
    if (this.#first === null) return;
    const average = (until - this.#first) / Math.max(1, this.#taken);
    // Later averages reflect the learned pace, not the limit of the gateway.
    this.#learned = this.#learned > 0 ? this.#learned * slower : average / share;
    this.#learnedLast = this.#learned;
    this.#learnedAt = until;
  }
}

function spacingFor(perSecond: number | null): number {
  return perSecond === null ? 0 : 1_000 / perSecond;
}
