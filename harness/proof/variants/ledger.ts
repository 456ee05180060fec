import type { LedgerRecord } from '../../reference/ledger.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide } from '../decisions.ts';
import { together } from '../planting.ts';
import { thinking } from './generative.ts';
import type { Variant } from './variant.ts';

// Other ways to keep the same books.

function records(change: (record: LedgerRecord) => readonly LedgerRecord[]): Defect['override'] {
  return decide(
    'financialRecords',
    (native) => (record, gateway) => native(record, gateway).flatMap(change),
  );
}

export const ledgerVariants: readonly Variant[] = [
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
    what: 'What is reserved at first, at no charge, is an estimate of what the answer may come to.',
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
    id: 'ledger.nothing-left-out',
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
    what: 'A record is in the ledger a little later than somebody first looks for it.',
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
    id: 'ledger.anonymous-ids',
    what: 'The ids of records are others each time that the ledger is read.',
    override: records((record) => [{ ...record, id: `led_${crypto.randomUUID()}` }]),
  },
];
