import {
  type Access,
  type Call,
  type Defect,
  type JsonObject,
  Refusal,
  type StoredOperation,
  type StoredResponse,
  Written,
} from '../../reference/index.ts';
import { decide, relax, tighten } from '../decisions.ts';
import { bodies, handling, together } from '../planting.ts';
import type { Chronicle } from './chronicle.ts';

/** True if a gateway is in the situation in which it decides wrongly about a response. */
export type Fits = (record: StoredResponse, call: Call) => boolean;

/** Wrong behaviour for a stored response in a certain situation. */
export interface Wrong {
  readonly id: string;
  /** Clause for a sentence, without its end. */
  readonly what: string;
  override(fits: Fits, seen: Chronicle): Defect['override'];
}

type Reached = 'isNotDeleted' | 'isSameUser' | 'isOriginalRegion' | 'isModelPermitted' | 'isStored';

const on =
  (these: readonly StoredOperation[], fits: Fits) =>
  ({ operation, record, call }: Access): boolean =>
    these.includes(operation) && fits(record, call);

/** Marks a response as deleted, but keeps its content. */
export const contentStays = tighten('deleteRemovesContent', () => true);

/** Makes the response accessible despite a failed condition. */
function reached(
  condition: Reached,
  who: string,
  these: readonly StoredOperation[],
  ...further: readonly Defect['override'][]
): Wrong {
  return {
    id: `${who.replaceAll(' ', '-')}-${these.join('-')}`,
    what: `${these.join(' and ')} of a response ${who} is served`,
    override: (fits) => together(...further, relax(condition, on(these, fits))),
  };
}

export const deletedServed = (...these: StoredOperation[]): Wrong =>
  reached('isNotDeleted', 'that is deleted', these, contentStays);
export const strangerServed = (...these: StoredOperation[]): Wrong =>
  reached('isSameUser', 'of another user', these);
export const elsewhereServed = (...these: StoredOperation[]): Wrong =>
  reached('isOriginalRegion', 'of another region', these);
export const unpermittedServed = (...these: StoredOperation[]): Wrong =>
  reached('isModelPermitted', 'of a model without permission', these);

/** Makes the response inaccessible to its own user. */
export const lost = (...these: StoredOperation[]): Wrong => ({
  id: `lost-${these.join('-')}`,
  what: `${these.join(' and ')} of the own response is refused`,
  override: (fits) => tighten('isSameUser', on(these, fits)),
});

export const deletionUndone: Wrong = {
  id: 'deletion-undone',
  what: 'a deletion is answered, and the response stays',
  override: (fits) => {
    // The situation is evaluated once per deletion, because it may count.
    const stays = new WeakSet<Call>();
    const undone: Fits = (record, call) => {
      if (fits(record, call)) stays.add(call);
      return stays.has(call);
    };
    return together(
      tighten('deleteDenies', undone),
      tighten('deleteRemovesContent', (_record, call) => stays.has(call)),
    );
  },
};

export const noOutput: Wrong = {
  id: 'no-output',
  what: 'a lookup shows no output',
  override: (fits) =>
    bodies('responses.response', (body, { record, call }) =>
      record !== null && call.operation === 'responses.lookup' && fits(record, call)
        ? { ...body, output: [] }
        : body,
    ),
};

export const noInputItems: Wrong = {
  id: 'no-input-items',
  what: 'the list of the input is empty',
  override: (fits) =>
    bodies('responses.input-items', (body, { record, call }) =>
      record !== null && fits(record, call) ? { ...body, data: [], has_more: false } : body,
    ),
};

export const noHistory: Wrong = {
  id: 'no-history',
  what: 'a continuation reads nothing of what it continues',
  override: (fits) =>
    decide(
      'history',
      (native) => (previous, call) => (fits(previous, call) ? [] : native(previous, call)),
    ),
};

export const eventsRepeated: Wrong = {
  id: 'events-repeated',
  what: 'a recovery repeats events',
  override: (fits) =>
    decide(
      'recoversFrom',
      (native) => (startingAfter, record, call) =>
        fits(record, call) ? 0 : native(startingAfter, record, call),
    ),
};

/** Returns the latest other response with content: the value of a wrongly shared variable. */
function neighbourOf(record: StoredResponse, { gateway }: Call, seen: Chronicle) {
  const others = [...seen.made.keys()].filter((id) => id !== record.id).reverse();
  for (const id of others) {
    const turn = gateway.store.peek(id)?.turn;
    if (turn) return turn;
  }
  return null;
}

export const anotherOutput: Wrong = {
  id: 'another-output',
  what: 'a lookup shows the output of another response',
  override: (fits, seen) =>
    bodies('responses.response', (body, { record, call }) => {
      if (record === null || call.operation !== 'responses.lookup') return body;
      const other = fits(record, call)
        ? neighbourOf(record, call, seen)?.response().data
        : undefined;
      return other === undefined ? body : { ...body, output: other.output, usage: other.usage };
    }),
};

export const anotherInput: Wrong = {
  id: 'another-input',
  what: 'the list of the input shows that of another response',
  override: (fits, seen) =>
    bodies('responses.input-items', (body, { record, call }) => {
      const other = record !== null && fits(record, call) ? neighbourOf(record, call, seen) : null;
      return other === null ? body : { ...body, data: other.parts.request.input };
    }),
};

/** Caches lookups before all checks, and never clears the cache. */
export const lookupCached: Wrong = {
  id: 'lookup-cached',
  what: 'a lookup shows what the first one here has shown, whoever asks and whatever has been done since',
  override(fits) {
    const cached = new Map<string, JsonObject>();
    return handling('responses.lookup', (handle) => async (call, key) => {
      const id = call.params.id ?? '';
      const body = cached.get(id);
      if (body !== undefined) return { kind: 'responses.response', body };
      const answer = await handle(call, key);
      const { record } = answer;
      if ('body' in answer && record?.turn?.finished === true && fits(record, call)) {
        cached.set(id, answer.body instanceof Written ? answer.body.data : answer.body);
      }
      return answer;
    });
  },
};

/** Caches denials, ignoring the key. */
export const denialCached: Wrong = {
  id: 'denial-cached',
  what: 'a lookup is refused because one of somebody else was',
  override(fits) {
    const denied = new Set<string>();
    return handling('responses.lookup', (handle) => async (call, key) => {
      const id = call.params.id ?? '';
      if (denied.has(id)) throw new Refusal('unknown-response', `Response ${id} not found.`);
      try {
        return await handle(call, key);
      } catch (error) {
        const record = call.gateway.store.peek(id);
        if (record !== undefined && fits(record, call)) denied.add(id);
        throw error;
      }
    });
  },
};

/** Caches the last read of a response for so many requests, and so notices its deletion late, like a stale replica. */
export const replicaBehind = (requests: number): Wrong => ({
  id: `replica-${requests}-behind`,
  what: `a deletion is known ${requests} requests after the response was last read from the database`,
  override(fits, seen) {
    const read = new Map<string, { readonly at: number; readonly there: boolean }>();
    return together(
      contentStays,
      decide('isNotDeleted', (native) => (access) => {
        const { id } = access.record;
        const known = read.get(id);
        const now = seen.deeds.length;
        if (known !== undefined && now - known.at < requests) return known.there;
        const there = native(access);
        if (fits(access.record, access.call)) read.set(id, { at: now, there });
        return there;
      }),
    );
  },
});
