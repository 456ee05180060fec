import { Bounded, type Limits } from './bounded.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { ResponseTurn } from './responses/turn.ts';

/** Operations on a stored response. `continue` names it as `previous_response_id`. */
export type StoredOperation =
  | 'lookup'
  | 'input-items'
  | 'recover'
  | 'cancel'
  | 'delete'
  | 'continue'
  | 'continue-websocket'
  | 'compact'
  | 'input-tokens';

/** A response that the gateway remembers, with its owner and region. */
export interface StoredResponse {
  readonly id: string;
  readonly region: string;
  /** User whose key created it. */
  readonly owner: string;
  readonly model: FixtureModel;
  /** Value in the request, or the default. */
  readonly store: boolean;
  readonly background: boolean;
  /** Milliseconds since 1970 from which the retention counts; the clock probe moves it. */
  retainedFrom: number;
  deleted: boolean;
  /** Content of the response and the run that generates it. Null once removed. */
  turn: ResponseTurn | null;
  /** Approximate memory of the response, with the turns before it. */
  readonly bytes: number;
}

/** Stored responses of the process by id. The policy decides who reaches which. */
export class Store {
  readonly #records: Bounded<StoredResponse>;

  /** @param limits a response that is dropped to make room looks as if it had never existed */
  constructor(limits: Limits) {
    this.#records = new Bounded(limits);
  }

  get size(): number {
    return this.#records.size;
  }

  put(record: StoredResponse): void {
    this.#records.put(record.id, record, record.bytes);
  }

  /** Returns a response without any check, for the probes. */
  peek(id: string): StoredResponse | undefined {
    return this.#records.get(id);
  }

  /** Returns the responses, newest first, without any check. */
  newestFirst(): readonly StoredResponse[] {
    return [...this.#records.values()].reverse();
  }
}
