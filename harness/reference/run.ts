import { setImmediate } from 'node:timers/promises';
import { allPieces, type Generation, outputsOf } from './engine.ts';
import { Journal } from './journal.ts';
import type { LedgerRecord } from './ledger.ts';

/**
 * Pace at which a generation is written: all at once, before the call returns (`at-once`) or soon after (`soon`);
 * one piece per turn of the event loop (`unpaced`); or one piece every `tokenMs` milliseconds, where `wait` returns
 * the delay before each piece.
 */
export type Pace =
  | 'at-once'
  | 'soon'
  | 'unpaced'
  | { readonly tokenMs: number; readonly wait?: () => number };

export type RunState = 'queued' | 'running' | 'completed' | 'incomplete' | 'cancelled';

/** Called once at any end: `completed`, `incomplete` (cut at the limit or by a filter) or `cancelled`. */
type Ended = (state: RunState) => void;

/** Maximum number of tokens of a short answer. Longer streams, and all background runs, are paced. */
const shortAnswer = 32;

/** Returns the pace of an answer that the client waits for. */
export function foregroundPace(
  stream: boolean,
  generation: Generation,
  { tokenMs, isMock }: { readonly tokenMs: number; readonly isMock: boolean },
): Pace {
  if (!stream) return 'at-once';
  if (allPieces(generation).length > shortAnswer) return { tokenMs };
  return isMock ? 'at-once' : 'unpaced';
}

/** A generation in progress: writes its pieces, keeps them, and can be stopped between two of them. */
export class Run {
  readonly generation: Generation;
  /** Pieces written so far; the journal ends with the run. */
  readonly pieces = new Journal<string>();
  readonly #financial: LedgerRecord;
  readonly #closing: AbortSignal;
  #ended: Ended;
  #state: RunState = 'queued';
  #isBegun = false;
  /** Thought tokens, counted from the start. */
  #thought = 0;
  #settled: Promise<void> | null = null;
  #settle: () => void = nothing;

  /**
   * @param financial record that follows the usage and the state of the run
   * @param closing stops the run with its gateway
   */
  constructor(
    generation: Generation,
    financial: LedgerRecord,
    closing: AbortSignal,
    ended: Ended = nothing,
  ) {
    this.generation = generation;
    this.#financial = financial;
    this.#closing = closing;
    this.#ended = ended;
  }

  /** Resolves at any end of the run. */
  get settled(): Promise<void> {
    if (this.pieces.ended) return Promise.resolve();
    this.#settled ??= new Promise((resolve) => {
      this.#settle = resolve;
    });
    return this.#settled;
  }

  get state(): RunState {
    return this.#state;
  }

  /** True if the run has started, even if it has ended since. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  get outputTokens(): number {
    return this.#thought + this.pieces.entries.length;
  }

  /** Restores a run that another process started: its state, and the number of its written pieces. */
  restore(state: RunState, written: number): this {
    if (state === 'queued') return this;
    this.#begin();
    for (const piece of allPieces(this.generation).slice(0, written)) this.#write(piece);
    if (state !== 'running') this.#end(state);
    return this;
  }

  /** @param queued waits for a slot first, as a background run does */
  start(pace: Pace, queued = false): this {
    if (pace === 'at-once' && !queued) {
      this.#begin();
      this.pieces.appendAll(allPieces(this.generation));
      this.#financial.outputTokens = this.outputTokens;
      this.#finish();
    } else {
      void this.#writeOut(pace, queued);
    }
    return this;
  }

  /** Stops a run that has not ended. Its written pieces remain, and are charged. */
  cancel(): void {
    this.#end('cancelled');
  }

  async #writeOut(pace: Pace, queued: boolean): Promise<void> {
    const next = pacer(pace);
    if (queued) await next();
    if (this.#state === 'queued') this.#begin();
    const pieces = allPieces(this.generation);
    for (let at = this.pieces.entries.length; at < pieces.length; at++) {
      const wait = pace === 'soon' ? null : next();
      if (wait !== null) await wait;
      if (this.#closing.aborted) this.cancel();
      if (this.state !== 'running') return;
      this.#write(pieces[at] ?? '');
    }
    this.#finish();
  }

  #begin(): void {
    this.#state = 'running';
    this.#thought = this.generation.thoughts;
    this.#isBegun = true;
    this.#financial.outputTokens = this.outputTokens;
    this.pieces.wake();
  }

  #write(piece: string): void {
    this.pieces.append(piece);
    this.#financial.outputTokens = this.outputTokens;
  }

  #finish(): void {
    const cut = outputsOf(this.generation).some(({ finish }) => finish !== 'stop');
    this.#end(cut ? 'incomplete' : 'completed');
  }

  #end(state: 'completed' | 'incomplete' | 'cancelled'): void {
    if (this.#state !== 'queued' && this.#state !== 'running') return;
    this.#state = state;
    this.#financial.status = state;
    this.#ended(state);
    this.pieces.end();
    this.#settle();
    // A stored response exists for long, so that it should retain no more than necessary.
    this.#ended = nothing;
    this.#settle = nothing;
  }
}

function nothing(): void {}

/** Maximum number of late pieces at a time, before other work gets its turn. */
const mostLate = 16;

/**
 * Returns a function that waits for the next piece; null if the piece is already late. A pace that was set is made up
 * for on a busy machine; any other run slows down with it, so that whoever acts on the run still finds it running.
 * The timer does not keep the process alive: only a listening gateway does.
 */
function pacer(pace: Pace): () => Promise<void> | null {
  if (typeof pace === 'string') return () => setImmediate();
  let due = performance.now();
  let late = 0;
  return () => {
    due += pace.wait?.() ?? pace.tokenMs;
    const now = performance.now();
    if (pace.wait === undefined) due = Math.max(due, now - 4);
    const ahead = due - now;
    if (ahead <= 0) return ++late % mostLate === 0 ? setImmediate() : null;
    return new Promise((resolve) => {
      setTimeout(resolve, ahead).unref();
    });
  };
}
