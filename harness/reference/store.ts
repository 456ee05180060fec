import { Bounded, type Limits } from './bounded.ts';
import type { Call } from './call.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { Key } from './keys.ts';
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

/** One attempt to reach a stored response. */
export interface Access {
  readonly operation: StoredOperation;
  readonly record: StoredResponse;
  readonly key: Key;
  readonly call: Call;
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

  /**
   * Returns the response if this key may reach it for this operation. To the client, every denial looks like an
   * unknown id.
   */
  reach(
    id: string,
    operation: StoredOperation,
    call: Call,
    key: Key,
  ): (StoredResponse & { readonly turn: ResponseTurn }) | undefined {
    const record = this.#records.get(id);
    if (record === undefined) return undefined;
    if (!mayReach({ operation, record, key, call })) return undefined;
    return hasContent(record) ? record : undefined;
  }
}

/** Checks every condition of the specification for reaching a stored response. */
export function mayReach(access: Access): boolean {
  const { policy } = access.call.gateway.seams;
  return (
    policy.isStored(access) &&
    policy.isNotDeleted(access) &&
    policy.isWithinRetention(access) &&
    policy.isOriginalRegion(access) &&
    policy.isSameUser(access) &&
    policy.isModelPermitted(access)
  );
}

function hasContent(
  record: StoredResponse,
): record is StoredResponse & { readonly turn: ResponseTurn } {
  return record.turn !== null;
}
