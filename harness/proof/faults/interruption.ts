import type { Call } from '../../reference/call.ts';
import type { Defect, Seams } from '../../reference/seams.ts';
import type { StoredOperation, StoredResponse } from '../../reference/store.ts';
import { tighten } from '../decisions.ts';
import type { Fault } from './fault.ts';

// Connections that break.

/** How a response was asked for. */
type Asked = 'background' | 'foreground' | 'websocket';

/** What a client leaves behind when it drops the stream of a response, or the socket of a turn. */
interface Dropped {
  /** A stored response that was asked for so, and whose first stream was dropped. */
  has(record: StoredResponse, asked: Asked): boolean;
  /** The caller's id of a request that was dropped. */
  asked(clientRequestId: string | null): boolean;
}

const creates = new Set(['responses.create', 'responses.websocket']);

/** Notes which streams were dropped, on the way to the decision what becomes of their runs. */
export function noting(
  override: (dropped: Dropped, seams: Seams) => ReturnType<Defect['override']>,
): Defect['override'] {
  return (seams) => {
    const calls = new Map<string, Call>();
    const requests = new Set<string>();
    const clientRequests = new Set<string>();
    const replaced = override(
      {
        has: ({ id, background }, asked) => {
          const call = calls.get(id);
          if (call === undefined || !requests.has(call.requestId)) return false;
          if (call.operation === 'responses.websocket') return asked === 'websocket';
          return asked === (background ? 'background' : 'foreground');
        },
        asked: (id) => id !== null && clientRequests.has(id),
      },
      seams,
    );
    return {
      ...replaced,
      encode: {
        id: (prefix, call) => {
          const id = seams.encode.id(prefix, call);
          if (creates.has(call.operation)) calls.set(id, call);
          return id;
        },
      },
      policy: {
        ...replaced.policy,
        outlivesClient: (execution, call) => {
          requests.add(call.requestId);
          if (call.clientRequestId !== null) clientRequests.add(call.clientRequestId);
          return seams.policy.outlivesClient(execution, call);
        },
      },
    };
  };
}

/** What was dropped is thrown away: one operation no longer finds it. */
function thrownAway(operation: StoredOperation, asked: Asked): Defect['override'] {
  return noting((dropped, { policy }) => ({
    policy: {
      isStored: (access) => {
        const gone = access.operation === operation && dropped.has(access.record, asked);
        return !gone && policy.isStored(access);
      },
    },
  }));
}

/** Charged twice: a run that is cancelled. */
const againWhenCancelled: Defect['override'] = ({ policy }) => {
  const cancelled = new Set<string>();
  return {
    policy: {
      cancelStops: (record, call) => {
        cancelled.add(record.id);
        return policy.cancelStops(record, call);
      },
      financialRecords: (record, gateway) => {
        const records = policy.financialRecords(record, gateway);
        const again = record.responseId !== null && cancelled.has(record.responseId);
        return again ? [...records, { ...record, id: `${record.id}_retry` }] : records;
      },
    },
  };
};

/** Charged twice: a run that nobody can look up, and whose client has gone. */
const againUnstored: Defect['override'] = ({ policy }) => {
  const dropped = new Set<string | null>();
  return {
    policy: {
      outlivesClient: (execution, call) => {
        if (!execution.store && call.operation === 'responses.create') {
          dropped.add(call.clientRequestId);
        }
        return policy.outlivesClient(execution, call);
      },
      financialRecords: (record, gateway) => {
        const records = policy.financialRecords(record, gateway);
        const again = dropped.has(record.clientRequestId);
        return again ? [...records, { ...record, id: `${record.id}_retry` }] : records;
      },
    },
  };
};

export const interruptionFaults: readonly Fault[] = [
  {
    id: 'interruption.background-thrown-away',
    what: 'A background response whose stream was dropped cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:background'],
    override: thrownAway('lookup', 'background'),
  },
  {
    id: 'interruption.foreground-thrown-away',
    what: 'A stored response whose stream was dropped cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:foreground'],
    override: thrownAway('lookup', 'foreground'),
  },
  {
    id: 'interruption.turn-thrown-away',
    what: 'A stored turn whose WebSocket was broken off cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:websocket'],
    override: thrownAway('lookup', 'websocket'),
  },
  {
    id: 'interruption.events-thrown-away',
    what: 'The events of a background stream are gone when its client drops it.',
    breaks: ['interruption/connection.cut-stream-recovers'],
    override: thrownAway('recover', 'background'),
  },
  {
    id: 'interruption.background-stops',
    what: 'A background run is cancelled when its client drops the stream.',
    breaks: ['interruption/connection.background-continues'],
    override: tighten('outlivesClient', (execution) => execution.background && execution.stream),
  },
  {
    id: 'interruption.half-request-charged',
    what: 'A request whose connection breaks in the middle of its body is charged as a generation.',
    breaks: ['interruption/connection.partial-request-free'],
    override: () => ({ policy: { recordsHalfRequest: () => true } }),
  },
  {
    id: 'interruption.executed-again',
    what: 'A generation whose client drops the connection is run once more, and charged twice.',
    breaks: ['interruption/connection.executed-once'],
    override: noting((dropped, { policy }) => ({
      policy: {
        financialRecords: (record, gateway) => {
          const records = policy.financialRecords(record, gateway);
          const again = record.operation === 'generation' && dropped.asked(record.clientRequestId);
          return again ? [...records, { ...record, id: `${record.id}_retry` }] : records;
        },
      },
    })),
  },
  {
    id: 'interruption.cancelled-executed-again',
    what: 'A generation that is cancelled is run once more, and charged twice.',
    breaks: ['interruption/connection.cut-stream-executed-once:cancel'],
    override: againWhenCancelled,
  },
  {
    id: 'interruption.unstored-executed-again',
    what: 'A stream with `store: false` whose client drops it is run once more, and charged twice.',
    breaks: ['interruption/connection.cut-stream-executed-once:unstored'],
    override: againUnstored,
  },
];
