import {
  check,
  checkEach,
  ending,
  expectValue,
  generatedText,
  Inconclusive,
  isRefused,
  type LedgerRecord,
  mustBeServed,
} from '../../harness/index.ts';
import { whereWordless } from '../wordless.ts';
import { interrupted } from './interrupted-runs.ts';
import { type Entry, isMetered, mustCharge } from './ledger.ts';
import { type CountingEndpoint, compacted, counted, deleted, refusedRequests } from './metering.ts';

check('rules/metering.compact-metered', compacted, ({ control, entry }) => {
  mustRecord(control);
  mustBeServed(entry.request);
  expectMetered(entry);
});

checkEach('rules/metering.counting-free', (endpoint: CountingEndpoint) => ({
  on: counted[endpoint],
  judge: ({ control, entry }) => {
    mustCharge(control);
    mustBeServed(entry.request);
    expectFree(entry);
  },
}));

check('rules/metering.deleted-kept', deleted, ({ before, deletion, after }) => {
  mustRecord(before);
  mustBeServed(deletion);
  for (const record of before.records) {
    const words = JSON.stringify(record);
    const kept = (): boolean => after.records.some((one) => holds(one, record));
    const as = 'records after the deletion';
    expectValue(after.records, { as, of: after.answers[0] ?? null }).toBe(`still ${words}`, kept);
  }
});

checkEach('rules/metering.interrupted-recorded', (how: keyof typeof interrupted) => ({
  on: interrupted[how],
  judge: ({ control, cancel, entry }) => {
    mustRecord(control);
    const { request } = entry;
    if (generatedText(request) === '') {
      const reason = `no text had come when the run was interrupted: ${whereWordless}`;
      throw new Inconclusive(reason, request);
    }
    if (cancel !== null && ending(cancel) !== 'cancelled') {
      throw new Inconclusive('the run was not cancelled while it went on', cancel);
    }
    expectMetered(entry);
  },
}));

check('rules/metering.refused-free', refusedRequests, ({ control, entries }) => {
  mustCharge(control);
  const refused = entries.filter(({ request }) => isRefused(request));
  if (refused.length === 0) {
    throw new Inconclusive('no request was refused', entries[0]?.request ?? null);
  }
  for (const entry of refused) expectFree(entry);
});

function expectMetered({ request, records }: Entry): void {
  expectValue(records, { as: 'records', of: request }).toBe(
    'one at least with usage or a charge',
    () => records.some(isMetered),
  );
}

function expectFree({ request, records }: Entry): void {
  const charges = records.map(({ charge }) => charge).filter((charge) => charge > 0);
  expectValue(charges, { as: 'charges', of: request }).toEqual([]);
}

/** What a ledger does not know of an ordinary generation, it need not know of another request. */
function mustRecord({ request, records }: Entry): void {
  if (records.some(isMetered)) return;
  throw new Inconclusive('the ledger has no record of a generation', request);
}

/**
 * True when nothing of the record was lost. Its status may well tell of the deletion, its id may be
 * another, and a ledger that is written in steps may have more by now.
 */
function holds(now: LedgerRecord, before: LedgerRecord): boolean {
  return (
    now.inputTokens >= before.inputTokens &&
    now.outputTokens >= before.outputTokens &&
    now.charge >= before.charge
  );
}
