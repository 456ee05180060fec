import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Defect, LedgerRecord, StoredResponse } from '../../reference/index.ts';
import { creationModes, decide, remembering } from '../decisions.ts';
import { handling, seam, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { noting } from './interruption.ts';
import { after, askedAs, emptied, records, recordsAsNoted, recordsOf } from './metering.ts';
import { each, planted } from './planted.ts';

// Ledger faults in corners: other regions, paths and creation modes, free requests, double charges.

/** Adds the record of a second execution. */
function retried(record: LedgerRecord): readonly LedgerRecord[] {
  return [record, { ...record, id: `${record.id}_retry` }];
}

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
    'ledger.compact-continued-free': recordsAsNoted(
      (continued) =>
        handling('responses.compact', (handle) => (call, key) => {
          if (call.body.previous_response_id !== undefined) continued.add(call.clientRequestId);
          return handle(call, key);
        }),
      () => [],
    ),
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

/** Changes the record of an unstored response in one body whose client has left when its answer is written. */
function ofUnread(change: (record: LedgerRecord) => readonly LedgerRecord[]): Defect['override'] {
  return recordsAsNoted(
    (unread) =>
      seam('transport', 'send', (native) => async (out, head, body, context) => {
        const { operation, clientRequestId, body: asked } = context.call;
        // Without a pause, the answer would be written before the connection is seen to close.
        if (operation === 'responses.create') await sleep(20);
        if (out.destroyed && asked.store === false) unread.add(clientRequestId);
        return native(out, head, body, context);
      }),
    change,
  );
}

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
    'ledger.dropped-executed-again': noting((dropped, seams) =>
      records(
        ({ operation, clientRequestId }) =>
          operation === 'generation' && dropped.asked(clientRequestId),
        retried,
      )(seams),
    ),
    'ledger.cancelled-executed-again': after('cancelled', retried),
    'ledger.unstored-executed-again': ofUnread(retried),
  }),
];

/** Counts how often each record was read. */
const chargedByReading: Defect['override'] = ({ policy }) => {
  const read = new Map<string, number>();
  return {
    policy: {
      charge: (record, gateway) => {
        const times = read.get(record.id) ?? 0;
        read.set(record.id, times + 1);
        return policy.charge(record, gateway) * (1 + times);
      },
    },
  };
};

const contradictions: readonly Fault[] = planted({
  'ledger.names-another-model': records(
    ({ protocol }) => protocol === 'chat-completions',
    (record) => [{ ...record, model: record.model === 'ts-plain' ? 'ts-omni' : 'ts-plain' }],
  ),
  'ledger.compact-as-generation': records(
    ({ operation }) => operation === 'compact',
    (record) => [{ ...record, operation: 'generation' }],
  ),
  'ledger.chat-stays-running': records(
    ({ protocol }) => protocol === 'chat-completions',
    (record) => [{ ...record, status: 'running' }],
  ),
  'ledger.charged-at-each-reading': chargedByReading,
});

export const ledgerFaults: readonly Fault[] = [
  ...countFaults,
  ...freeFaults,
  ...keptFaults,
  ...droppedFaults,
  ...planted({ 'ledger.dropped-body-unrecorded': ofUnread(() => []) }),
  ...chargedTwice,
  ...contradictions,
];
