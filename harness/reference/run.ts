import { setImmediate } from 'node:timers/promises';
import type { Gateway } from './call.ts';
import { allPieces, type Generation, outputsOf } from './engine.ts';
import { Journal } from './journal.ts';
import type { LedgerRecord } from './ledger.ts';

/**
 * Pace at which a generation is written: all at once before the call returns (`at-once`), or soon after
 * (`soon`); one piece per turn of the event loop (`unpaced`); or one piece every `tokenMs` milliseconds,
 * where `wait` returns the delay before each piece.
 */
export type Pace =
  | 'at-once'
  | 'soon'
  | 'unpaced'
  | { readonly tokenMs: number; readonly wait?: () => number };

export type RunState = 'queued' | 'running' | 'completed' | 'incomplete' | 'cancelled';

/** Told once, whatever the end: `completed`, `incomplete` (cut at the limit or by a filter) or `cancelled`. */
type Ended = (state: RunState) => void;

/** A stream of more tokens than this, and every background run, takes its time. */
const shortAnswer = 32;

/** The pace of an answer that the client waits for. */
export function foregroundPace(
  stream: boolean,
  generation: Generation,
  { tokenMs, isMock }: Pick<Gateway, 'tokenMs' | 'isMock'>,
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
  /** Tokens, from its start on. */
  #thought = 0;
  #settled: Promise<void> | null = null;
  #settle: () => void = nothing;

  /**
   * @param financial follows the usage and the state of the run
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

  /** When the run has ended, whatever its end. */
  get settled(): Promise<void> {
    if (this.pieces.ended) return settledBefore;
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

  /** Tokens thought and written so far. */
  get outputTokens(): number {
    return this.#thought + this.pieces.entries.length;
  }

  /** Takes up a run that another process has begun: it is in this state, and has written so many pieces. */
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

  /** Stops a run that has not ended. What it has written stays written, and is charged for. */
  cancel(): void {
    this.#end('cancelled');
  }

  async #writeOut(pace: Pace, queued: boolean): Promise<void> {
    const next = pacer(pace);
    if (queued) await next();
    if (this.#state === 'queued') this.#begin();
    for (const piece of allPieces(this.generation).slice(this.pieces.entries.length)) {
      const wait = pace === 'soon' ? null : next();
      if (wait !== null) await wait;
      if (this.#closing.aborted) this.cancel();
      if (this.state !== 'running') return;
      this.#write(piece);
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
    // A stored response stays for long, and holds on to no more than it needs.
    this.#ended = nothing;
    this.#settle = nothing;
  }
}

const settledBefore = Promise.resolve();

function nothing(): void {}

/** Pieces that may come at a time where they are late. Then it is the turn of others. */
const mostLate = 16;

/**
 * Waits for the next piece; null where that is late already. A piece that is late does not delay those
 * behind it: on a busy machine a run takes no longer than its pace says, and its pieces come several at a
 * time. The timer does not keep the process alive: only a gateway that listens does.
 */
function pacer(pace: Pace): () => Promise<void> | null {
  if (typeof pace === 'string') return () => setImmediate();
  let due = performance.now();
  let late = 0;
  return () => {
    due += pace.wait?.() ?? pace.tokenMs;
    const ahead = due - performance.now();
    if (ahead <= 0) return ++late % mostLate === 0 ? setImmediate() : null;
    return new Promise((resolve) => {
      setTimeout(resolve, ahead).unref();
    });
  };
}
