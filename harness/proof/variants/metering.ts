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
import type { Variant } from './variant.ts';

// Other ways to count, and to keep the same books.

function records(change: (record: LedgerRecord) => readonly LedgerRecord[]): Defect['override'] {
  return decide(
    'financialRecords',
    (native) => (record, gateway) => native(record, gateway).flatMap(change),
  );
}

function untold(response: JsonObject): JsonObject {
  return set(response, 'truncation', 'auto');
}

/** A model has two channels, and the other one makes up to three tokens more of the same input. */
const byChannel: readonly Variant[] = [0, 1, 2].map((first) => ({
  id: `counts.by-channel-${first + 1}`,
  what: 'Two channels of a model take turns, and one counts three tokens more of the same input.',
  // Natively a count on Responses is exact.
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
  {
    id: 'ledger.reserved-first',
    what: 'The ledger has two records of a request: one that reserves, at no charge, and one that charges.',
    override: records((record) => [
      { ...record, id: `${record.id}_reserved`, inputTokens: 0, outputTokens: 0 },
      record,
    ]),
  },
  {
    id: 'ledger.estimated-first',
    what: 'The first record of a request, at no charge, is an estimate of its usage.',
    override: together(
      records((record) => [
        { ...record, id: `${record.id}_reserved`, outputTokens: record.outputTokens + 50 },
        record,
      ]),
      decide(
        'charge',
        (native) => (record, gateway) =>
          record.id.endsWith('_reserved') ? 0 : native(record, gateway),
      ),
    ),
  },
  {
    id: 'ledger.thoughts-as-output',
    what: 'The thoughts of generative-content are recorded as output, which they are charged as.',
    override: together(
      thinking,
      records((record) => {
        const thinks = record.protocol === 'generative' && record.outputTokens > 0;
        return [thinks ? { ...record, outputTokens: record.outputTokens + 2 } : record];
      }),
    ),
  },
  {
    id: 'ledger.charged-in-parts',
    what: 'The input and the output of a request are charged in a record each.',
    override: records((record) => [
      { ...record, id: `${record.id}_input`, outputTokens: 0 },
      { ...record, id: `${record.id}_output`, inputTokens: 0 },
    ]),
  },
  {
    id: 'ledger.refusals-listed',
    what: 'The ledger knows of requests that were refused, or never came whole, at no charge.',
    override: ({ policy }) => ({
      policy: {
        recordsRefusal: () => true,
        recordsHalfRequest: () => true,
        charge: (record, gateway) =>
          record.status === 'failed' ? 0 : policy.charge(record, gateway),
      },
    }),
  },
  {
    id: 'ledger.written-late',
    what: 'A record is in the ledger a little later than the first query for it.',
    override: ({ policy }) => {
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
  },
  {
    id: 'ledger.one-at-a-time',
    what: 'The ledger takes the id of one request at a time, and knows of none that has commas in it.',
    override: () => ({ policy: { inLedgerQuery: (ids) => (ids.length === 1 ? ids : []) } }),
  },
  {
    id: 'ledger.changing-ids',
    what: 'The ids of records are others each time that the ledger is read.',
    override: records((record) => [{ ...record, id: `led_${crypto.randomUUID()}` }]),
  },
  {
    id: 'counts.end-of-answer',
    what: 'The token that ends an answer is counted: at its limit it has one more.',
    override: limited(
      () => true,
      (limit) => limit + 1,
    ),
  },
  {
    id: 'counts.truncated-by-itself',
    what: 'Responses have `truncation: auto`, and a continuation leaves out what was said in earlier turns.',
    override: together(
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
  },
];
