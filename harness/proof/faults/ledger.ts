import type { Call, Defect, LedgerRecord, StoredResponse } from '../../reference/index.ts';
import { creationModes, decide, remembering } from '../decisions.ts';
import { handling, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { noting } from './interruption.ts';
import { askedAs, emptied, records, recordsOf } from './metering.ts';
import { each, planted } from './planted.ts';

// Ledger faults in corners: other regions, paths and creation modes, free requests, double charges.

/** Charges a cancelled run twice. */
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

/** Charges an unstored run twice if its client disconnected. */
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

const secondRegion = 'us';

/** Charges matching counts like the input of a generation. */
function countsCharged(
  fits: (record: LedgerRecord, call: Call | undefined) => boolean,
): Defect['override'] {
  return (seams) => {
    const calls = new Map<string | null, Call>();
    const noticing = decide('counted', (native) => (tokens, call) => {
      calls.set(call.clientRequestId, call);
      return native(tokens, call);
    });
    const charging = decide(
      'charge',
      (native) => (record, gateway) =>
        record.operation === 'count' && fits(record, calls.get(record.clientRequestId))
          ? native({ ...record, operation: 'generation' }, gateway)
          : native(record, gateway),
    );
    return together(noticing, charging)(seams);
  };
}

const counting = [
  ['messages', 'messages-count-tokens'],
  ['generative', 'count-tokens'],
  ['responses', 'input-tokens'],
] as const;

const countFaults: readonly Fault[] = [
  ...planted({
    'ledger.count-charged-alternate-path': countsCharged(
      (_, call) => call?.path.startsWith('/v1/models/') === true,
    ),
    'ledger.compact-continued-free': (seams) => {
      const continued = new Set<string | null>();
      return together(
        handling('responses.compact', (handle) => (call, key) => {
          if (call.body.previous_response_id !== undefined) continued.add(call.clientRequestId);
          return handle(call, key);
        }),
        records(
          ({ operation, clientRequestId }) =>
            operation === 'compact' && continued.has(clientRequestId),
          () => [],
        ),
      )(seams);
    },
  }),
  ...each(counting, ([protocol]) => ({
    'ledger.count-charged-elsewhere-{0}': countsCharged(
      (record, call) => record.protocol === protocol && call?.gateway.region === secondRegion,
    ),
  })),
];

/** Enters a call in the ledger like a small generation. */
function charged(operation: Call['operation'], fits: (call: Call) => boolean): Defect['override'] {
  return handling(operation, (handle) => async (call, key) => {
    const answer = await handle(call, key);
    if (fits(call)) {
      call.gateway.ledger.open(call, { operation: 'generation', model: '', inputTokens: 1 });
    }
    return answer;
  });
}

const free = [
  ['models', 'models.list'],
  ['lookup', 'responses.lookup'],
  ['input-items', 'responses.input-items'],
  ['recover', 'responses.recover'],
  ['cancel', 'responses.cancel'],
  ['delete', 'responses.delete'],
] as const;

const freeFaults: readonly Fault[] = [
  ...each(free, ([, operation]) => ({ 'ledger.{0}-charged': charged(operation, () => true) })),
  ...each(
    free.filter(([name]) => name !== 'recover'),
    ([, operation]) => ({
      'ledger.{0}-charged-elsewhere': charged(
        operation,
        ({ gateway }) => gateway.region === secondRegion,
      ),
    }),
  ),
];

/** Removes the record together with the response, for matching creations. */
function lostWhenDeleted(
  fits: (created: Call) => boolean,
  isOne: (record: StoredResponse) => boolean = () => true,
): Defect['override'] {
  return remembering(
    (call, prefix) => prefix === 'resp_' && fits(call),
    (made) => (seams) => {
      const gone = new Set<string>();
      return together(
        // Called first while a run is in progress.
        decide('deleteStops', (native) => (record, call) => {
          if (made.has(record.id) && isOne(record)) gone.add(record.id);
          return native(record, call);
        }),
        records(
          ({ responseId }) => responseId !== null && gone.has(responseId),
          () => [],
        ),
      )(seams);
    },
  );
}

function hasEnded({ turn }: StoredResponse): boolean {
  return turn?.finished !== false;
}

const keptFaults: readonly Fault[] = [
  ...each(['stream', 'websocket', 'continuation'] as const, (mode) => ({
    'ledger.deleted-without-record-{}': lostWhenDeleted(creationModes[mode], hasEnded),
  })),
  ...planted({
    'ledger.deleted-without-record-background': lostWhenDeleted(
      ({ body }) => body.background === true,
      hasEnded,
    ),
    'ledger.deleted-while-running-free': lostWhenDeleted(
      () => true,
      ({ turn }) => turn?.finished === false,
    ),
    'ledger.expired-without-record': decide('financialRecords', (native) => (record, gateway) => {
      const stored = record.responseId === null ? null : gateway.store.peek(record.responseId);
      const age = stored == null ? 0 : gateway.now() - stored.retainedFrom;
      return age > gateway.retentionDays * 86_400_000 ? [] : native(record, gateway);
    }),
  }),
];

const droppedFaults: readonly Fault[] = each(
  ['chat-completions', 'messages', 'generative'] as const,
  (protocol) => ({
    'ledger.dropped-free-{}': noting((dropped, seams) =>
      records(
        (record) => record.protocol === protocol && dropped.asked(record.clientRequestId),
        emptied,
      )(seams),
    ),
  }),
);

const chargedTwice: readonly Fault[] = [
  ...each(askedAs, ({ fits }) => ({
    'ledger.charged-twice-{name}': recordsOf(fits, (record) => [
      record,
      { ...record, id: `${record.id}_again` },
    ]),
  })),
  ...planted({
    'ledger.compact-charged-twice': decide('financialRecords', (native) => (record, gateway) => {
      const own = native(record, gateway);
      return record.operation === 'compact'
        ? [...own, { ...record, id: `${record.id}_again` }]
        : own;
    }),
    'ledger.dropped-executed-again': noting((dropped, { policy }) => ({
      policy: {
        financialRecords: (record, gateway) => {
          const records = policy.financialRecords(record, gateway);
          const again = record.operation === 'generation' && dropped.asked(record.clientRequestId);
          return again ? [...records, { ...record, id: `${record.id}_retry` }] : records;
        },
      },
    })),
    'ledger.cancelled-executed-again': againWhenCancelled,
    'ledger.unstored-executed-again': againUnstored,
  }),
];

export const ledgerFaults: readonly Fault[] = [
  ...countFaults,
  ...freeFaults,
  ...keptFaults,
  ...droppedFaults,
  ...chargedTwice,
];
