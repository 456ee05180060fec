import {
  assumeServed,
  check,
  checkEach,
  ending,
  expectValue,
  generatedText,
  Inconclusive,
  isRefused,
  type LedgerRecord,
} from '../../harness/index.ts';
import { whereWordless } from '../scenarios/empty-answers.ts';
import { interrupted } from '../scenarios/interrupted-runs.ts';
import { assumeCharged, type Entry, isMetered } from '../scenarios/ledger.ts';
import { type CountingEndpoint, compacted, counted, deleted, refusedRequests } from './metering.ts';

check('metering/ledger.compact-metered', compacted, ({ control, entry }) => {
  assumeRecorded(control);
  assumeServed(entry.request);
  expectMetered(entry);
});

checkEach('metering/ledger.counting-free', (endpoint: CountingEndpoint) => ({
  on: counted[endpoint],
  judge: ({ control, entry }) => {
    assumeCharged(control);
    assumeServed(entry.request);
    expectFree(entry);
  },
}));

check('metering/ledger.kept-after-deletion', deleted, ({ before, deletion, after }) => {
  assumeRecorded(before);
  assumeServed(deletion);
  for (const record of before.records) {
    const words = JSON.stringify(record);
    const kept = (): boolean => after.records.some((one) => holds(one, record));
    const as = 'records after the deletion';
    expectValue(after.records, { as, of: after.answers[0] ?? null }).toBe(`still ${words}`, kept);
  }
});

checkEach('metering/ledger.interrupted-recorded', (how: keyof typeof interrupted) => ({
  on: interrupted[how],
  judge: ({ control, cancel, entry }) => {
    assumeRecorded(control);
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

check('metering/ledger.refusals-free', refusedRequests, ({ control, entries }) => {
  assumeCharged(control);
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

/** What a ledger does not know of a baseline generation, it need not know of another request. */
function assumeRecorded({ request, records }: Entry): void {
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
