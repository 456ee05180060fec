import type { StoredResponse } from '../../reference/index.ts';
import type { Override } from '../planting.ts';

import { lateReads } from './balancer.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Makes a response visible only so many milliseconds after its creation. */
export function storeLag(ms: number): Override {
  return (seams) => {
    const made = new Map<string, number>();
    return {
      encode: {
        id: (prefix, call) => {
          const id = seams.encode.id(prefix, call);
          made.set(id, performance.now());
          return id;
        },
      },
      policy: {
        isStored: (access) =>
          seams.policy.isStored(access) &&
          performance.now() - (made.get(access.record.id) ?? 0) >= ms,
      },
    };
  };
}

/** Serves a deleted response for so many milliseconds more. Its run stops at once. */
export function deleteLag(ms: number): Override {
  return ({ policy }) => {
    const deleted = new Map<string, number>();
    return {
      policy: {
        deleteDenies: (record, call) => {
          // A second deletion does not restart the lag.
          if (!deleted.has(record.id)) deleted.set(record.id, performance.now());
          return policy.deleteDenies(record, call);
        },
        deleteRemovesContent: () => false,
        isNotDeleted: (access) =>
          policy.isNotDeleted(access) ||
          performance.now() - (deleted.get(access.record.id) ?? 0) < ms,
      },
    };
  };
}

/** Stops a run so many milliseconds after its cancel or the deletion of its response. */
export function stopLag(ms: number): Override {
  const later = ({ turn }: StoredResponse): boolean => {
    setTimeout(() => turn?.cancel(), ms).unref();
    return false;
  };
  return () => ({ policy: { cancelStops: later, deleteStops: later } });
}

export const lagging: readonly HonestGateway[] = [
  {
    id: 'lag.store-200',
    what: 'What is stored can be found after 200 ms.',
    override: storeLag(200),
  },
  {
    id: 'lag.store-800',
    what: 'What is stored can be found after 800 ms.',
    override: storeLag(800),
  },
  {
    id: 'lag.delete-800',
    what: 'What is deleted is denied after 800 ms.',
    override: deleteLag(800),
  },
  {
    id: 'lag.cancel-800',
    what: 'A run stops 800 ms after its cancel or its deletion was answered.',
    override: stopLag(800),
  },
  {
    id: 'lag.every-read-200',
    what: 'Each operation on a response sees its creation, its end, its cancel and its deletion 200 ms later.',
    override: lateReads(200),
  },
];
