import {
  type Defect,
  isObject,
  type JsonObject,
  type LedgerRecord,
} from '../../reference/index.ts';
import { decide, limited } from '../decisions.ts';
import { changed, set } from '../editing.ts';
import { bodies, eachData, together } from '../planting.ts';
import { thinking } from './generative.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Other ways to count, and to keep equivalent records.

function everyRecord(
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return decide(
    'financialRecords',
    (native) => (record, gateway) => native(record, gateway).flatMap(change),
  );
}

function untold(response: JsonObject): JsonObject {
  return set(response, 'truncation', 'auto');
}

/** Variants with two channels per model, of which one counts three tokens more for the same input. */
const byChannel: readonly Variant[] = [0, 1, 2].map((first) => ({
  id: `counts.by-channel-${first + 1}`,
  what: 'Two channels of a model take turns, and one counts three tokens more of the same input.',
  // In the native API, a count on Responses is exact.
  warns: ['counting/responses.equals-usage'],
  override: (seams) => {
    let asked = first;
    return decide('read', (native) => (inputTokens, call) => {
      asked += 1;
      return native(inputTokens, call) + (asked % (first + 2) === 0 ? 3 : 0);
    })(seams);
  },
}));

export const meteringVariants: readonly Variant[] = [
  ...byChannel,
  ...planted({
    'ledger.reserved-first': everyRecord((record) => [
      { ...record, id: `${record.id}_reserved`, inputTokens: 0, outputTokens: 0 },
      record,
    ]),
    'ledger.estimated-first': together(
      everyRecord((record) => [
        { ...record, id: `${record.id}_reserved`, outputTokens: record.outputTokens + 50 },
        record,
      ]),
      decide(
        'charge',
        (native) => (record, gateway) =>
          record.id.endsWith('_reserved') ? 0 : native(record, gateway),
      ),
    ),
    'ledger.thoughts-as-output': together(
      thinking,
      everyRecord((record) => {
        const thinks = record.protocol === 'generative' && record.outputTokens > 0;
        return [thinks ? { ...record, outputTokens: record.outputTokens + 2 } : record];
      }),
    ),
    'ledger.charged-in-parts': everyRecord((record) => [
      { ...record, id: `${record.id}_input`, outputTokens: 0 },
      { ...record, id: `${record.id}_output`, inputTokens: 0 },
    ]),
    'ledger.refusals-listed': ({ policy }) => ({
      policy: {
        recordsRefusal: () => true,
        recordsHalfRequest: () => true,
        charge: (record, gateway) =>
          record.status === 'failed' ? 0 : policy.charge(record, gateway),
      },
    }),
    'ledger.written-late': ({ policy }) => {
      const askedAt = new Map<string, number>();
      return {
        policy: {
          financialRecords: (record, gateway) => {
            const first = askedAt.get(record.id) ?? Date.now();
            askedAt.set(record.id, first);
            return Date.now() - first < 40 ? [] : policy.financialRecords(record, gateway);
          },
        },
      };
    },
    'ledger.one-at-a-time': () => ({
      policy: { inLedgerQuery: (ids) => (ids.length === 1 ? ids : []) },
    }),
    'ledger.changing-ids': everyRecord((record) => [
      { ...record, id: `led_${crypto.randomUUID()}` },
    ]),
    'counts.end-of-answer': limited(
      () => true,
      (limit) => limit + 1,
    ),
    'counts.truncated-by-itself': together(
      bodies('responses.response', untold),
      eachData('responses', (data) =>
        changed(data, 'response', (response) => (isObject(response) ? untold(response) : response)),
      ),
      // The call that a result belongs to has to stay.
      decide(
        'history',
        (native) => (previous, call) =>
          native(previous, call).filter(({ type }) => type === 'function_call'),
      ),
    ),
  }),
];
