import type { StreamEvent } from '../dialect.ts';
import type { Generation } from '../engine.ts';
import { Journal } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import type { LedgerRecord } from '../ledger.ts';
import { type Pace, Run, type RunState } from '../run.ts';
import { itemEvents } from './events.ts';
import { outputItems, responseObject } from './object.ts';
import type { ResponseRequest } from './request.ts';

/** Status of a response, as the Responses API names it. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

export interface TurnParts {
  readonly id: string;
  /** Ids of the first output item, and of the call where it is one. */
  readonly itemId: string;
  readonly callId: string;
  readonly request: ResponseRequest;
  /** Items of the turns before, oldest first. */
  readonly history: readonly JsonObject[];
  readonly generation: Generation;
  readonly financial: LedgerRecord;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  now(): number;
}

/**
 * One response from its creation on: the run that makes it, the events that tell of it, and what it
 * looks like at this moment. The events are kept, so that a broken stream can be taken up again.
 */
export class ResponseTurn {
  readonly parts: TurnParts;
  readonly events = new Journal<StreamEvent>();
  readonly run: Run;
  /** Unix seconds. */
  readonly createdAt: number;
  completedAt: number | null = null;
  #opened = false;

  constructor(parts: TurnParts) {
    this.parts = parts;
    this.createdAt = this.#seconds();
    const item = itemEvents(this);
    this.run = new Run(parts.generation, parts.financial, parts.closing, {
      started: () => {
        this.#emitResponse('response.in_progress');
        if (!parts.request.generate) return;
        this.#opened = true;
        this.#emitAll(item.opened());
      },
      piece: (text, index) => this.#emitAll(item.grown(text, index)),
      ended: (state) => this.#ended(state, item),
    });
    this.#emitResponse('response.created');
    if (parts.request.background) this.#emitResponse('response.queued');
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
    return this.status !== 'queued' && this.status !== 'in_progress';
  }

  /** The text so far, or the JSON text of the arguments so far. */
  get written(): string {
    return this.run.pieces.entries.join('');
  }

  /** The native response object, as of now. */
  response(): JsonObject {
    return responseObject(this);
  }

  /** What a later turn reads of this one: history, input and output. */
  context(): readonly JsonObject[] {
    return [...this.parts.history, ...this.parts.request.input, ...this.output()];
  }

  /** Empty until the output item has been opened. */
  output(): readonly JsonObject[] {
    return this.#opened ? outputItems(this) : [];
  }

  /** Stops the run, and ends its streams. Does nothing once it has ended. */
  cancel(): void {
    this.run.cancel();
  }

  #ended(state: RunState, item: ReturnType<typeof itemEvents>): void {
    if (state === 'completed') this.completedAt = this.#seconds();
    if (state === 'cancelled') {
      // The Responses API has no event for it: the stream fails, and its response says why.
      this.#emitResponse('response.failed');
    } else {
      if (this.#opened) this.#emitAll(item.closed());
      this.#emitResponse(state === 'incomplete' ? 'response.incomplete' : 'response.completed');
    }
    this.events.end();
  }

  #emitResponse(type: string): void {
    this.#emit({ type, response: this.response() });
  }

  #emitAll(events: Iterable<JsonObject & { readonly type: string }>): void {
    for (const event of events) this.#emit(event);
  }

  #emit({ type, ...fields }: JsonObject & { readonly type: string }): void {
    const sequence = this.events.entries.length;
    this.events.append({ name: type, data: { type, sequence_number: sequence, ...fields } });
  }

  #seconds(): number {
    return Math.floor(this.parts.now() / 1000);
  }
}
