import { setMaxListeners } from 'node:events';
import type { HeldBy } from '../core/index.ts';

/** Time until which no request may start, by `performance.now()`, and the reason. */
export interface Held {
  readonly until: number;
  readonly by: HeldBy;
}

/** Limits how fast requests may follow one another. */
export interface Pacing {
  /** Returns why a request must wait, or null if it may start now. */
  heldUntil(now: number, hostile: boolean): Held | null;
  started(now: number, hostile: boolean): void;
}

/** Tasks that a gateway may defend itself against in the same way. */
export interface Hostility {
  /** Number of them that may run at once. 0: one, and nothing beside it. */
  readonly width: number;
  /** True if nothing overtakes a task that waits to run alone, not even one of a higher priority. */
  readonly isNext?: boolean;
}

interface LimiterOptions {
  /** Number of slots: the maximum of concurrent exchanges. */
  readonly concurrency: number;
  /** Default: as fast as the slots allow. */
  readonly pacing?: Pacing;
  /** Signal that makes all waiting tasks begin at once. They check the signal themselves. */
  readonly stop?: AbortSignal;
  /** Called with the waiting time and the reason. */
  readonly onHeld?: (by: HeldBy, milliseconds: number) => void;
}

interface Waiting {
  readonly priority: number;
  readonly hostility: Hostility | null;
  begin(release: () => void): void;
}

const unpaced: Pacing = { heldUntil: () => null, started: () => undefined };
const unbounded: Hostility = { width: Number.POSITIVE_INFINITY };

/**
 * Enforces the request limits of a target. One instance for each target.
 *
 * An exchange holds a slot from start to end. A scenario that keeps a socket open while it sends other requests would
 * wait for itself if no other slot is free, so the slot of a socket must be released as soon as the connection is open.
 *
 * A hostile task runs alone while its width is 0, so that its effects can be attributed to it. Otherwise so many run
 * beside each other and beside ordinary tasks.
 */
export class Limiter {
  readonly #concurrency: number;
  readonly #pacing: Pacing;
  readonly #stop: AbortSignal | null;
  readonly #onHeld: NonNullable<LimiterOptions['onHeld']>;
  /** Ordered by descending priority, then by arrival. */
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #alone = false;
  readonly #running = new Map<Hostility, number>();
  /** Waits for the running tasks to end. Nothing starts before it. */
  #next: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  #held: { readonly by: HeldBy; readonly since: number } | null = null;

  constructor({ concurrency, pacing, stop, onHeld }: LimiterOptions) {
    this.#concurrency = concurrency;
    this.#pacing = pacing ?? unpaced;
    this.#stop = stop ?? null;
    this.#onHeld = onHeld ?? (() => undefined);
    if (stop === undefined) return;
    // Every exchange in flight listens to the signal, too. That is no leak.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', () => this.#unhindered(), { once: true });
  }

  /**
   * Runs a task when a slot is free. Waiting tasks run by descending priority, then by arrival. The slot is
   * released when the task settles or calls `release`.
   */
  run<Result>(
    priority: number,
    task: (release: () => void) => Promise<Result>,
    hostility: Hostility | null = null,
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
      this.#waiting.splice(behind + 1, 0, { priority, hostility, begin });
      this.look();
    });
  }

  /** Reason why requests currently wait, or null if nothing delays them. */
  get heldBy(): HeldBy | null {
    return this.#held?.by ?? null;
  }

  /** Starts all tasks that may start. To be called when the pacing has become less strict. */
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

  /** @returns what delays the first waiting task, unless it waits for tasks in flight */
  #startWhatMay(now: number): Held | null {
    let first: Held | null = null;
    if (this.#next !== null && this.#taken > 0) return null;
    if (this.#next !== null) {
      this.#waiting.splice(this.#waiting.indexOf(this.#next), 1);
      this.#waiting.unshift(this.#next);
      this.#next = null;
    }
    for (let index = 0; index < this.#waiting.length; ) {
      const next = this.#waiting[index];
      if (next === undefined || this.#alone) return null;
      if (this.#taken >= this.#concurrency) return { until: now + 60_000, by: 'concurrency' };
      const { hostility } = next;
      const held = this.#pacing.heldUntil(now, hostility !== null);
      if (held !== null && (first === null || held.until < first.until)) first = held;
      if (held !== null && hostility === null) return first;
      const { width } = hostility ?? unbounded;
      if (held === null && width === 0 && this.#taken > 0) {
        if (hostility?.isNext === true) this.#next = next;
        return first;
      }
      const running = hostility === null ? 0 : (this.#running.get(hostility) ?? 0);
      // Other tasks may overtake a hostile one.
      if (held !== null || running >= Math.max(1, width)) index++;
      else {
        this.#waiting.splice(index, 1);
        this.#start(next, now, width === 0);
      }
    }
    return first;
  }

  #start({ hostility, begin }: Waiting, now: number, isAlone: boolean): void {
    this.#taken++;
    this.#alone = isAlone;
    this.#count(hostility, 1);
    this.#pacing.started(now, hostility !== null);
    let taken = true;
    begin(() => {
      if (!taken) return;
      taken = false;
      this.#taken--;
      if (isAlone) this.#alone = false;
      this.#count(hostility, -1);
      // The caller may enqueue its next task before the slot is assigned to another one.
      setImmediate(() => this.look());
    });
  }

  #count(hostility: Hostility | null, by: 1 | -1): void {
    if (hostility === null) return;
    this.#running.set(hostility, (this.#running.get(hostility) ?? 0) + by);
  }

  #unhindered(): void {
    clearTimeout(this.#timer);
    for (const { begin } of this.#waiting.splice(0)) begin(() => undefined);
  }
}
