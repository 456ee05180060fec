import { setMaxListeners } from 'node:events';
import type { HeldBy } from '../core/index.ts';

/** Time until which nothing further may start, by the clock of `performance.now()`, and the reason. */
export interface Held {
  readonly until: number;
  readonly by: HeldBy;
}

/** Says how fast requests may follow one another. */
export interface Pacing {
  /** Returns what holds a request back, or null if one may start now. */
  heldUntil(now: number, hostile: boolean): Held | null;
  started(now: number, hostile: boolean): void;
}

interface LimiterOptions {
  /** Slots: exchanges under way at once. */
  readonly concurrency: number;
  /** Default: as fast as the slots allow. */
  readonly pacing?: Pacing;
  /** Aborting lets all waiting tasks begin at once: they check the signal themselves. */
  readonly stop?: AbortSignal;
  /** Called with how long something waited, and the reason. */
  readonly onHeld?: (by: HeldBy, milliseconds: number) => void;
}

interface Waiting {
  readonly priority: number;
  readonly hostile: boolean;
  begin(release: () => void): void;
}

const unpaced: Pacing = { heldUntil: () => null, started: () => undefined };

/**
 * Keeps within what a target may be asked. One for each target.
 *
 * A slot is held from the start of an exchange to its end. A socket is the exception to consider: a
 * scenario that keeps one open while it sends other requests waits for itself when no further slot
 * is free, so give its slot back as soon as the connection stands.
 *
 * A hostile task has all slots to itself, so that what comes of it is seen to come of it.
 */
export class Limiter {
  readonly #concurrency: number;
  readonly #pacing: Pacing;
  readonly #stop: AbortSignal | null;
  readonly #onHeld: NonNullable<LimiterOptions['onHeld']>;
  /** The highest priority first, then in order. */
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #alone = false;
  #timer: NodeJS.Timeout | undefined;
  #held: { readonly by: HeldBy; readonly since: number } | null = null;

  constructor({ concurrency, pacing, stop, onHeld }: LimiterOptions) {
    this.#concurrency = concurrency;
    this.#pacing = pacing ?? unpaced;
    this.#stop = stop ?? null;
    this.#onHeld = onHeld ?? (() => undefined);
    if (stop === undefined) return;
    // All that is under way listens to it, too; that is no leak.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', () => this.#unhindered(), { once: true });
  }

  /**
   * Runs a task when a slot is free; among those that wait, the highest priority first, then in
   * order. The slot is free again when the task settles or has called `release`.
   */
  run<Result>(
    priority: number,
    task: (release: () => void) => Promise<Result>,
    { hostile = false } = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = (release: () => void): void => {
        task(release).then(resolve, reject).finally(release);
      };
      if (this.#stop?.aborted === true) {
        begin(() => undefined);
        return;
      }
      const behind = this.#waiting.findLastIndex((other) => other.priority >= priority);
      this.#waiting.splice(behind + 1, 0, { priority, hostile, begin });
      this.look();
    });
  }

  /** Reason why the waiting requests are held back at the moment, or null if nothing holds them back. */
  get heldBy(): HeldBy | null {
    return this.#held?.by ?? null;
  }

  /** Starts whatever may start: to be called when the pacing allows more than it did. */
  look(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    if (this.#held !== null) this.#onHeld(this.#held.by, now - this.#held.since);
    this.#held = null;
    const held = this.#startWhatMay(now);
    if (held === null) return;
    this.#held = { by: held.by, since: now };
    // Timers may fire a little early.
    this.#timer = setTimeout(() => this.look(), Math.max(1, Math.ceil(held.until - now)));
  }

  /** @returns what holds back the first of those that wait, unless it is those under way */
  #startWhatMay(now: number): Held | null {
    let first: Held | null = null;
    for (let index = 0; index < this.#waiting.length; ) {
      const next = this.#waiting[index];
      if (next === undefined || this.#alone) return null;
      if (this.#taken >= this.#concurrency) return { until: now + 60_000, by: 'concurrency' };
      const held = this.#pacing.heldUntil(now, next.hostile);
      if (held !== null) {
        if (first === null || held.until < first.until) first = held;
        // Requests that are not hostile may overtake it.
        index = next.hostile
          ? this.#waiting.findIndex((other, at) => at > index && !other.hostile)
          : -1;
        if (index === -1) return first;
        continue;
      }
      if (next.hostile && this.#taken > 0) return null;
      this.#waiting.splice(index, 1);
      this.#start(next, now);
    }
    return first;
  }

  #start({ hostile, begin }: Waiting, now: number): void {
    this.#taken++;
    this.#alone = hostile;
    this.#pacing.started(now, hostile);
    let taken = true;
    begin(() => {
      if (!taken) return;
      taken = false;
      this.#taken--;
      if (hostile) this.#alone = false;
      // The caller may enqueue its next task before the slot goes to another one.
      setImmediate(() => this.look());
    });
  }

  #unhindered(): void {
    clearTimeout(this.#timer);
    for (const { begin } of this.#waiting.splice(0)) begin(() => undefined);
  }
}
