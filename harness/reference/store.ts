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

/** A response that the gateway remembers, and who and what it belongs to. */
export interface StoredResponse {
  readonly id: string;
  readonly region: string;
  /** The user whose key created it. */
  readonly owner: string;
  readonly model: FixtureModel;
  /** Value of the request, or the default. */
  readonly store: boolean;
  readonly background: boolean;
  /** Milliseconds since 1970 from which the retention counts; the clock probe moves it. */
  retainedFrom: number;
  deleted: boolean;
  /** Its content, with the run that makes it. Null once it is removed. */
  turn: ResponseTurn | null;
  /** About as much memory as it takes, with the turns before it. */
  readonly bytes: number;
}

/** One attempt to reach a stored response. */
export interface Access {
  readonly operation: StoredOperation;
  readonly record: StoredResponse;
  readonly key: Key;
  readonly call: Call;
}

/** Every stored response of the process, by its id. Who reaches which is for the policy to say. */
export class Store {
  readonly #records: Bounded<StoredResponse>;

  /** @param limits what goes to make room is to everybody as if it had never been there */
  constructor(limits: Limits) {
    this.#records = new Bounded(limits);
  }

  get size(): number {
    return this.#records.size;
  }

  put(record: StoredResponse): void {
    this.#records.put(record.id, record, record.bytes);
  }

  /** Without any check: for the probes. */
  peek(id: string): StoredResponse | undefined {
    return this.#records.get(id);
  }

  /** Newest first, without any check. */
  newestFirst(): readonly StoredResponse[] {
    return [...this.#records.values()].reverse();
  }

  /**
   * The response, if this key may reach it for this operation. To its caller every denial looks like
   * an unknown id.
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

/** Every condition that the specification puts on reaching a stored response, one by one. */
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
