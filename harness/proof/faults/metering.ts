import type { BodyKind, Call, Defect, JsonObject, LedgerRecord } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { memberAt, set } from '../editing.ts';
import { bodies, eachData, handlingAll, type Override, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { generationModes } from './generation/across-protocols.ts';
import { noting } from './interruption.ts';
import { each, planted } from './planted.ts';

// Faults in the records of the ledger.

export function records(
  fits: (record: LedgerRecord) => boolean,
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return decide('financialRecords', (original) => (record, gateway) => {
    const native = original(record, gateway);
    return fits(record) ? native.flatMap(change) : native;
  });
}

/** Changes the records of requests that are noted under their client ids. */
export function recordsAsNoted(
  noticing: (noted: Set<string | null>) => Defect['override'],
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return (seams) => {
    const noted = new Set<string | null>();
    const fits = ({ clientRequestId }: LedgerRecord): boolean => noted.has(clientRequestId);
    return together(noticing(noted), records(fits, change))(seams);
  };
}

const refusalsCharged = each(
  [
    ['unknown-model', 'an unknown model'],
    ['wrong-type', 'an input of a wrong type'],
    ['unknown-previous-response', 'a previous response that does not exist'],
    ['background-needs-store', 'a background run that is not to be stored'],
  ] as const,
  ([reason]) => ({
    'metering.refused-charged-{0}': () => ({
      policy: { recordsRefusal: (refusal) => refusal.reason === reason },
    }),
  }),
);

const refusalsRun = each(
  [
    ['no-key', 'want of a key'],
    ['unknown-key', 'a wrong key'],
    ['version-required', 'want of a version'],
    ['unpermitted-model', 'a model that its key may not use'],
    ['undeclared-protocol', 'its protocol'],
    ['unsupported-capability', 'a capability that the model lacks'],
    ['background-needs-store', 'a background run that is not to be stored'],
    ['unknown-previous-response', 'what it continues'],
  ] as const,
  ([reason]) => ({
    'metering.refused-run-{0}': ({ policy }) => ({
      policy: {
        recordsRefusal: (refusal, call) => {
          if (refusal.reason === reason && call.method === 'POST') {
            const { ledger } = call.gateway;
            const model = String(call.body.model);
            const opening = { operation: 'generation', model, inputTokens: 9 } as const;
            ledger.open(call, { ...opening, status: 'completed' }).outputTokens = 7;
          }
          return policy.recordsRefusal(refusal, call);
        },
      },
    }),
  }),
);

/** Paths of the output count and the total of a protocol. */
interface Usage {
  readonly protocol: 'responses' | 'chat-completions' | 'messages' | 'generative';
  /** Name in the ids of its faults. */
  readonly short: string;
  readonly encoder: BodyKind;
  readonly output: string;
  readonly sum?: readonly [total: string, input: string];
  /** Prefix of these paths in the events of a stream. */
  readonly streamed?: string;
}

const usages: readonly Usage[] = [
  {
    protocol: 'responses',
    short: 'responses',
    encoder: 'responses.response',
    output: 'usage.output_tokens',
    sum: ['usage.total_tokens', 'usage.input_tokens'],
    streamed: 'response.',
  },
  {
    protocol: 'chat-completions',
    short: 'chat',
    encoder: 'chat-completions.completion',
    output: 'usage.completion_tokens',
    sum: ['usage.total_tokens', 'usage.prompt_tokens'],
  },
  {
    protocol: 'messages',
    short: 'messages',
    encoder: 'messages.message',
    output: 'usage.output_tokens',
  },
  {
    protocol: 'generative',
    short: 'generative',
    encoder: 'generative.response',
    output: 'usageMetadata.candidatesTokenCount',
    sum: ['usageMetadata.totalTokenCount', 'usageMetadata.promptTokenCount'],
  },
];

const uncounted: readonly Fault[] = each(
  usages,
  ({ protocol, encoder, output, sum, streamed = '' }) => {
    const none = (body: JsonObject, before: string): JsonObject =>
      zeroed(body, before + output, sum && [before + sum[0], before + sum[1]]);
    return {
      'metering.{short}-output-uncounted': bodies(encoder, (body) => none(body, '')),
      'metering.{short}-stream-uncounted': eachData(protocol, (data) => none(data, streamed)),
    };
  },
);

/** Shows 0 output tokens, with a consistent total. */
function zeroed(body: JsonObject, counted: string, total?: readonly [string, string]): JsonObject {
  if (typeof memberAt(body, counted) !== 'number') return body;
  const zero = set(body, counted, 0);
  if (total === undefined) return zero;
  const [sum, input] = total;
  return set(zero, sum, memberAt(body, input) ?? 0);
}

/** Returns a record without usage, and therefore without a charge. */
export function emptied(record: LedgerRecord): readonly LedgerRecord[] {
  return [{ ...record, inputTokens: 0, outputTokens: 0 }];
}

/** Changes the financial record of a response that is deleted, or cancelled while it runs. */
export function after(
  what: 'deleted' | 'cancelled',
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return (seams) => {
    const fitting = new Set<string>();
    const { policy } = seams;
    const changing = records(
      ({ responseId }) => responseId !== null && fitting.has(responseId),
      change,
    )(seams);
    const policies = {
      deleted: {
        deleteDenies: (record, call) => {
          fitting.add(record.id);
          return policy.deleteDenies(record, call);
        },
      },
      cancelled: {
        cancelStops: (record, call) => {
          if (record.turn?.finished === false) fitting.add(record.id);
          return policy.cancelStops(record, call);
        },
      },
    } satisfies Record<string, Partial<typeof policy>>;
    return { policy: { ...changing.policy, ...policies[what] } };
  };
}

/** Makes the charge of a deleted response inconsistent with its usage. */
function unfitAfterDeletion(
  change: (record: LedgerRecord) => LedgerRecord,
  isCharged: boolean,
): Defect['override'] {
  return (seams) => {
    const natives = new Map<string, LedgerRecord>();
    const { policy } = seams;
    const charged: Defect['override'] = () => ({
      policy: {
        charge: (record, gateway) => {
          const native = natives.get(record.id);
          if (native === undefined) return policy.charge(record, gateway);
          return isCharged ? policy.charge(native, gateway) : 0;
        },
      },
    });
    const changed = after('deleted', (record) => {
      natives.set(record.id, { ...record });
      return [change(record)];
    });
    return together(charged, changed)(seams);
  };
}

/** Loses the record of a response when one that continues it is deleted. */
const goneWithContinuation: Override = (seams) => {
  const { policy } = seams;
  const parents = new Map<string, string>();
  const gone = new Set<string | null>();
  return together(
    handlingAll((handle) => async (call, key) => {
      const id = call.params.id ?? '';
      if (call.operation === 'responses.delete') gone.add(parents.get(id) ?? null);
      return handle(call, key);
    }),
    bodies('responses.response', (body) => {
      if (typeof body.previous_response_id === 'string' && typeof body.id === 'string') {
        parents.set(body.id, body.previous_response_id);
      }
      return body;
    }),
    () => ({
      policy: {
        financialRecords: (record, gateway) =>
          record.responseId !== null && gone.has(record.responseId)
            ? []
            : policy.financialRecords(record, gateway),
      },
    }),
  )(seams);
};

const countingFree = 'metering/ledger.counting-free';

// Generations that are missing in the ledger, or recorded wrongly.

export function recordsOf(
  isAsked: (call: Call) => boolean,
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  const noticing = (asked: Set<string | null>) =>
    decide('findModel', (native) => (id, call) => {
      if (isAsked(call)) asked.add(call.clientRequestId);
      return native(id, call);
    });
  return recordsAsNoted(noticing, (one) => (one.operation === 'generation' ? change(one) : [one]));
}

const protocols = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;

const inOneBody = protocols.map((protocol) => ({
  name: protocol,
  fits: (call: Call): boolean => isInOneBody(call, protocol),
}));

function isInOneBody(call: Call, protocol: (typeof protocols)[number]): boolean {
  return call.dialect.name === protocol && !generationModes.some(({ fits }) => fits(call));
}

/** Changes the records of turns whose socket was dropped while they ran. */
function droppedTurns(
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return ({ policy }) => {
    const requests = new Set<string | null>();
    return {
      policy: {
        outlivesClient: (execution, call) => {
          if (call.operation === 'responses.websocket') requests.add(call.clientRequestId);
          return policy.outlivesClient(execution, call);
        },
        financialRecords: (record, gateway) => {
          const native = policy.financialRecords(record, gateway);
          return requests.has(record.clientRequestId) ? native.flatMap(change) : native;
        },
      },
    };
  };
}

/** Predicates for generation calls, by mode. */
export const askedAs: readonly {
  readonly name: string;
  readonly fits: (call: Call) => boolean;
}[] = [...inOneBody, ...generationModes];

const generations: readonly Fault[] = [
  ...each(askedAs, ({ fits }) => ({ 'metering.unrecorded-{name}': recordsOf(fits, () => []) })),
  ...each(
    askedAs.filter(({ name }) => name !== 'systemone'),
    ({ fits }) => ({
      'metering.half-recorded-{name}': recordsOf(fits, (record) => [
        { ...record, outputTokens: Math.floor(record.outputTokens / 2) },
      ]),
    }),
  ),
];

export const meteringFaults: readonly Fault[] = [
  ...planted({
    'metering.compact-unrecorded': records(
      ({ operation }) => operation === 'compact',
      () => [],
    ),
    'metering.compact-free': records(({ operation }) => operation === 'compact', emptied),
    'metering.compact-uncharged': decide(
      'charge',
      (native) => (record, gateway) =>
        record.operation === 'compact' ? 0 : native(record, gateway),
    ),
    'metering.deleted-with-parent': goneWithContinuation,
    'metering.deleted-with-content': after('deleted', () => []),
    'metering.deleted-refunded': after('deleted', emptied),
    'metering.deleted-waived': unfitAfterDeletion((record) => record, false),
    'metering.deleted-without-input': unfitAfterDeletion(
      (record) => ({ ...record, inputTokens: 0 }),
      true,
    ),
    'metering.deleted-without-output': unfitAfterDeletion(
      (record) => ({ ...record, outputTokens: 0 }),
      true,
    ),
    'metering.cancelled-unrecorded': after('cancelled', () => []),
    'metering.cancelled-without-usage': after('cancelled', emptied),
    'metering.dropped-without-usage': noting((dropped, seams) =>
      records(({ clientRequestId }) => dropped.asked(clientRequestId), emptied)(seams),
    ),
  }),
  ...each(
    [
      { protocol: 'messages', rows: `${countingFree}:messages-count-tokens` },
      {
        protocol: 'generative',
        rows: `${countingFree}:count-tokens ${countingFree}:alternate-path`,
      },
      { protocol: 'responses', rows: `${countingFree}:input-tokens` },
    ],
    ({ protocol }) => ({
      'metering.count-charged-{protocol}': decide(
        'charge',
        (native) => (record, gateway) =>
          record.operation === 'count' && record.protocol === protocol
            ? native({ ...record, operation: 'generation' }, gateway)
            : native(record, gateway),
      ),
    }),
  ),
  ...planted({
    'metering.count-as-generation': records(
      ({ operation }) => operation === 'count',
      (record) => [{ ...record, operation: 'generation' }],
    ),
  }),
  ...uncounted,
  ...refusalsCharged,
  ...refusalsRun,
  ...planted({ 'metering.refused-charged': () => ({ policy: { recordsRefusal: () => true } }) }),
  ...generations,
  ...planted({
    'metering.half-of-the-input': recordsOf(
      (call) => isInOneBody(call, 'responses'),
      (record) => [{ ...record, inputTokens: Math.floor(record.inputTokens / 2) }],
    ),
    'metering.dropped-turn-without-usage': droppedTurns((record) => [
      { ...record, inputTokens: 0, outputTokens: 0 },
    ]),
  }),
];
