import { setImmediate } from 'node:timers/promises';
import { allPieces, type Generation, outputsOf } from './engine.ts';
import { Journal } from './journal.ts';
import type { LedgerRecord } from './ledger.ts';

/**
 * How a generation is written out: in one go before the call returns, or soon after, a piece per turn of the
 * event loop, or a piece every so many milliseconds; `wait` says how many before each.
 */
export type Pace =
  | 'at-once'
  | 'soon'
  | 'unpaced'
  | { readonly tokenMs: number; readonly wait?: () => number };

export type RunState = 'queued' | 'running' | 'completed' | 'incomplete' | 'cancelled';

/** Told of each step as it happens. */
export interface RunObserver {
  started?(): void;
  piece?(text: string, index: number): void;
  /** Once, whatever the end: `completed`, `incomplete` (cut at the limit) or `cancelled`. */
  ended?(state: RunState): void;
}

/** A stream of more tokens than this, and every background run, takes its time. */
const shortAnswer = 32;

/** The pace of an answer that the client waits for. */
export function foregroundPace(stream: boolean, generation: Generation, tokenMs: number): Pace {
  if (!stream) return 'at-once';
  return allPieces(generation).length > shortAnswer ? { tokenMs } : 'unpaced';
}

/** A generation in progress: writes its pieces, keeps them, and can be stopped between two of them. */
export class Run {
  readonly generation: Generation;
  /** What has been written so far; ends with the run. */
  readonly pieces = new Journal<string>();
  /** When the run has ended, whatever its end. */
  readonly settled: Promise<void>;
  readonly #financial: LedgerRecord;
  readonly #closing: AbortSignal;
  readonly #observer: RunObserver;
  #state: RunState = 'queued';
  /** Tokens, from its start on. */
  #thought = 0;
  #settle: () => void = () => {};

  /**
   * @param financial follows the usage and the state of the run
   * @param closing stops the run with its gateway
   */
  constructor(
    generation: Generation,
    financial: LedgerRecord,
    closing: AbortSignal,
    observer: RunObserver = {},
  ) {
    this.generation = generation;
    this.#financial = financial;
    this.#closing = closing;
    this.#observer = observer;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get state(): RunState {
    return this.#state;
  }

  /** Tokens thought and written so far. */
  get outputTokens(): number {
    return this.#thought + this.pieces.entries.length;
  }

  /** @param queued waits for a slot first, as a background run does */
  start(pace: Pace, queued = false): this {
    if (pace === 'at-once' && !queued) {
      this.#begin();
      for (const piece of allPieces(this.generation)) this.#write(piece);
      this.#finish();
    } else {
      void this.#writeOut(pace, queued);
    }
    return this;
  }

  /** Stops a run that has not ended. What it has written stays written, and is charged for. */
  cancel(): void {
    this.#end('cancelled');
  }

  async #writeOut(pace: Pace, queued: boolean): Promise<void> {
    const next = pacer(pace);
    if (queued) await next();
    if (this.#state !== 'queued') return;
    this.#begin();
    for (const piece of allPieces(this.generation)) {
      if (pace !== 'soon') await next();
      if (this.#closing.aborted) this.cancel();
      if (this.state !== 'running') return;
      this.#write(piece);
    }
    this.#finish();
  }

  #begin(): void {
    this.#state = 'running';
    this.#thought = this.generation.thoughts;
    this.#financial.outputTokens = this.outputTokens;
    this.#observer.started?.();
  }

  #write(piece: string): void {
    const index = this.pieces.entries.length;
    this.pieces.append(piece);
    this.#financial.outputTokens = this.outputTokens;
    this.#observer.piece?.(piece, index);
  }

  #finish(): void {
    const cut = outputsOf(this.generation).some(({ finish }) => finish === 'length');
    this.#end(cut ? 'incomplete' : 'completed');
  }

  #end(state: 'completed' | 'incomplete' | 'cancelled'): void {
    if (this.#state !== 'queued' && this.#state !== 'running') return;
    this.#state = state;
    this.#financial.status = state;
    this.#observer.ended?.(state);
    this.pieces.end();
    this.#settle();
  }
}

/**
 * Waits for the next piece. A piece that is late does not delay those behind it: on a busy machine a run
 * takes no longer than its pace says. The timer does not keep the process alive: only a gateway that
 * listens does.
 */
function pacer(pace: Pace): () => Promise<void> {
  if (typeof pace === 'string') return () => setImmediate();
  let due = performance.now();
  return () => {
    due += pace.wait?.() ?? pace.tokenMs;
    const ahead = due - performance.now();
    if (ahead <= 0) return setImmediate();
    return new Promise((resolve) => {
      setTimeout(resolve, ahead).unref();
    });
  };
}
