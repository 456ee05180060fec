import type { StreamEvent } from '../dialect.ts';
import type { Feed, Gone } from '../feed.ts';
import type { JsonObject } from '../json.ts';
import type { Written } from '../prepared.ts';
import { type Pace, Run } from '../run.ts';
import { turnEvents } from './events.ts';
import { outputItems, responseAt } from './object.ts';
import { isFinal, type Progress, type ResponseStatus } from './progress.ts';
import type { TurnParts, TurnState } from './turn-state.ts';

/** Reader that never disconnects. */
const staying: Gone = { aborted: false, addEventListener: () => {} };

/**
 * One response from its creation on: its run, its events and its current state. The events are derived from the
 * written pieces, so that an interrupted stream can be resumed.
 */
export class ResponseTurn implements TurnState {
  readonly parts: TurnParts;
  readonly run: Run;
  /** Unix seconds. */
  createdAt: number;
  completedAt: number | null = null;

  constructor(parts: TurnParts) {
    this.parts = parts;
    this.createdAt = this.#seconds();
    this.run = new Run(parts.generation, parts.financial, parts.closing, (state) => {
      if (state === 'completed') this.completedAt = this.#seconds();
    });
  }

  /** @param queued a background run waits before it starts */
  start(pace: Pace, queued: boolean): this {
    this.run.start(pace, queued);
    return this;
  }

  get status(): ResponseStatus {
    const { state } = this.run;
    if (state === 'running') return 'in_progress';
    if (state === 'queued') return this.parts.request.background ? 'queued' : 'in_progress';
    return state;
  }

  get finished(): boolean {
    return isFinal(this.status);
  }

  get now(): Progress {
    const isOpen = this.run.isBegun && this.parts.request.generate;
    return { status: this.status, written: this.run.pieces.entries.length, isOpen };
  }

  get begun(): Progress {
    return { status: 'in_progress', written: 0, isOpen: this.parts.request.generate };
  }

  /** Returns the text, or the JSON text of the arguments, so far. */
  get written(): string {
    return this.run.pieces.entries.join('');
  }

  /** Returns the native response object in its current state. */
  response(): Written {
    return responseAt(this, this.now);
  }

  /** Returns the events from an index on, until the turn ends or the reader disconnects. */
  events(gone: Gone, from = 0): Feed<StreamEvent> {
    return turnEvents(this, gone, from);
  }

  /** Returns the events that exist now. */
  eventsSoFar(): readonly StreamEvent[] {
    return this.events(staying).take(Number.POSITIVE_INFINITY);
  }

  /** Returns the items that a later turn reads: history, input and output. */
  context(): readonly JsonObject[] {
    return [...this.parts.history, ...this.parts.request.input, ...this.output()];
  }

  /** Returns the output; empty until the output item has been opened. */
  output(): readonly JsonObject[] {
    const { now } = this;
    return now.isOpen ? outputItems(this, now) : [];
  }

  /** Stops the run, and ends its streams. Does nothing after the end of the run. */
  cancel(): void {
    this.run.cancel();
  }

  #seconds(): number {
    return Math.floor(this.parts.now() / 1000);
  }
}
