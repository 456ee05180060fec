import type { Hostility } from '../../wire/index.ts';
import type { HostileKind } from '../schedule/hostile.ts';

/** Answers to a kind of hostile request that are needed before anything else runs beside it. */
const leastAnswers = 4;
/** Maximum number of hostile requests of one kind in flight. */
export const mostAtOnce = 64;

export interface Flight {
  /** Null for an ordinary request. */
  readonly hostility: Width | null;
  /** By the clock of `performance.now()`. */
  readonly at: number;
  /** True if a hostile request was in flight at the same time. */
  isBesideHostile: boolean;
}

class Width implements Hostility {
  readonly kind: HostileKind;
  readonly region: string;
  width: number;
  /** Answers since the last step. */
  answers = 0;
  /** True once a request was served after enough of these answers. */
  isProven = false;
  /** Time from which on a served request proves it, or null. */
  dueAt: number | null = null;
  /** True if these requests run alone for the rest of the run, because one did harm. */
  isFixed: boolean;

  constructor(kind: HostileKind, region: string, width: number, isFixed: boolean) {
    this.kind = kind;
    this.region = region;
    this.width = kind === 'alone' ? 0 : width;
    this.isFixed = isFixed;
  }

  /** The first ones go soon, because all others of their kind wait for them. */
  get isNext(): boolean {
    return !this.isFixed;
  }
}

function isCredential(kind: HostileKind): boolean {
  return kind === 'key' || kind === 'place';
}

/**
 * Decides how many hostile requests may run at once, by kind and region. The first ones run alone. When enough of
 * them were answered and an ordinary request is served after that, they did no harm: two may run then, and twice as
 * many after each further round. Similar kinds and other regions begin with one at a time beside ordinary requests.
 * After the first harm, all kinds that were sent by then run alone, so that an effect belongs to one request.
 */
export class Widths {
  readonly #most: number;
  readonly #widths: Width[] = [];
  readonly #flights = new Set<Flight>();

  constructor({ concurrency }: { readonly concurrency: number }) {
    this.#most = Math.min(mostAtOnce, concurrency);
  }

  for(kind: HostileKind, region: string): Width {
    const alike = this.#alike(kind);
    const known = alike.find((one) => one.kind === kind && one.region === region);
    if (known !== undefined) return known;
    const isHarmless = alike.some((one) => one.width > 0);
    const isFixed = alike.some((one) => one.isFixed);
    const width = new Width(kind, region, isHarmless ? 1 : 0, isFixed);
    this.#widths.push(width);
    return width;
  }

  #alike(kind: HostileKind): readonly Width[] {
    return this.#widths.filter((one) => isCredential(one.kind) === isCredential(kind));
  }

  begin(hostility: Width | null): Flight {
    const flight = { hostility, at: performance.now(), isBesideHostile: false };
    for (const other of this.#flights) {
      if (other.hostility !== null) flight.isBesideHostile = true;
      if (hostility !== null) other.isBesideHostile = true;
    }
    this.#flights.add(flight);
    return flight;
  }

  end(flight: Flight): void {
    this.#flights.delete(flight);
  }

  /** Counts an answer. @returns true if the next request that is served in the region widens the kind */
  answered(sent: Width): boolean {
    // A body that has to run alone is a bad body, too.
    const width = sent.kind === 'alone' ? this.for('body', sent.region) : sent;
    width.answers++;
    if (width.isFixed || width.width >= this.#most || width.dueAt !== null) return false;
    const all = this.#alike(width.kind).reduce((sum, one) => sum + one.answers, 0);
    if (width.width === 0 ? all < leastAnswers : width.answers < width.width) return false;
    if (width.isProven) this.#widen(width);
    else width.dueAt = performance.now();
    return !width.isProven;
  }

  /** Records a request that was sent at this time and served. @returns true if any kind is wider now */
  served(region: string, at: number): boolean {
    const proven = this.#widths.filter(
      (one) => one.region === region && !one.isFixed && one.dueAt !== null && at >= one.dueAt,
    );
    for (const one of proven) {
      one.isProven = true;
      one.dueAt = null;
      this.#widen(one);
      for (const other of this.#alike(one.kind)) {
        if (other.kind !== 'alone') other.width = Math.max(1, other.width);
      }
    }
    return proven.length > 0;
  }

  #widen(one: Width): void {
    one.width = Math.min(this.#most, Math.max(2, 2 * one.width));
    one.answers = 0;
  }

  /** Records harm: a lockout, an exit of the gateway, or a request that got no answer. */
  harmed(): void {
    for (const one of this.#widths) Object.assign(one, { width: 0, isFixed: true });
  }
}
