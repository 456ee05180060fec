import { isObject } from '../../reference/json.ts';
import type { StoredResponse } from '../../reference/store.ts';
import type { Fault } from './fault.ts';

// Several continuations of one response.

/** The response before this one; null for the first of a conversation. */
function before({ turn }: StoredResponse): string | null {
  return turn?.parts.request.previousResponseId ?? null;
}

export const branchFaults: readonly Fault[] = [
  {
    id: 'continue.no-second-branch',
    what: 'A response in the middle of a conversation can be continued once.',
    breaks: ['storage/continuation.branches'],
    override: ({ policy }) => {
      const continued = new Set<string>();
      return {
        policy: {
          isStored: (access) => {
            const isOver = access.operation === 'continue' && continued.has(access.record.id);
            return !isOver && policy.isStored(access);
          },
          history: (previous, call) => {
            if (before(previous) !== null) continued.add(previous.id);
            return policy.history(previous, call);
          },
        },
      };
    },
  },
  {
    id: 'continue.branches-run-on',
    what: 'Each continuation of a response reads what the continuations before it have said.',
    breaks: ['storage/continuation.branches'],
    override: ({ policy }) => {
      const times = new Map<string, number>();
      return {
        policy: {
          history: (previous, call) => {
            const native = policy.history(previous, call);
            if (before(previous) === null) return native;
            const earlier = times.get(previous.id) ?? 0;
            times.set(previous.id, earlier + 1);
            const last = native.filter(isObject).slice(-1);
            return [...native, ...Array.from({ length: earlier }, () => last).flat()];
          },
        },
      };
    },
  },
  {
    id: 'delete.takes-the-one-before',
    what: 'Deleting a continuation deletes the response that it continued, too.',
    breaks: ['storage/deletion.leaves-predecessor'],
    override: ({ policy }) => {
      const gone = new Set<string | null>();
      return {
        policy: {
          deleteDenies: (record, call) => {
            if (before(record) !== null) gone.add(before(record));
            return policy.deleteDenies(record, call);
          },
          isNotDeleted: (access) => !gone.has(access.record.id) && policy.isNotDeleted(access),
        },
      };
    },
  },
];
