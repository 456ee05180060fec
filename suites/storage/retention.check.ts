import {
  assumeServed,
  type CreationMode,
  check,
  checkEach,
  expect,
  type JudgedPoints,
  judgeEach,
  type StoredOperationName,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { type Expired, expired, type Kept } from '../scenarios/points/gone.ts';
import { denied, type IndirectOperation, notRead } from '../scenarios/points/judged.ts';
import { served } from '../scenarios/stored/served-operations.ts';

check(
  'storage/responses.kept-30-days',
  {
    ends: expired['one-body'],
    lookup: baseline.lookup,
    inputItems: baseline['input-items'],
    next: served.continue,
  },
  ({ ends: { kept }, lookup, inputItems, next }) => {
    const controls = [lookup.baseline, inputItems.baseline, next.served];
    return judgeKept(kept, ({ seen, lookup, inputItems, continued }) => {
      assumeServed([seen, ...controls]);
      for (const attempt of [lookup, inputItems, continued]) {
        if (attempt !== null) expect(attempt).toBeServed();
      }
    });
  },
);

checkEach('storage/responses.kept-by-creation-mode', (mode: Exclude<CreationMode, 'one-body'>) => ({
  on: expired[mode],
  judge: ({ kept }) =>
    judgeKept(kept, ({ seen, lookup }) => {
      assumeServed(seen);
      expect(lookup).toBeServed();
    }),
}));

/** Judges each response by itself; one that was not made leaves all of it open. */
function judgeKept(kept: Expired['kept'], judge: (one: Kept) => void): JudgedPoints {
  return judgeEach(
    kept,
    (one) => (one instanceof Error ? one.message : one.lookup.key),
    (one) => {
      if (one instanceof Error) throw one;
      judge(one);
    },
    { noun: 'response', needsAll: true },
  );
}

type AfterRetention = Exclude<StoredOperationName, 'delete'>;

checkEach('storage/responses.gone-after-retention', (operation: AfterRetention) =>
  denied(operation, {
    id: `storage/responses.gone-after-retention:${operation}`,
    reasons: ['expired'],
  }),
);

checkEach('storage/responses.expired-indirect-access-denied', (operation: IndirectOperation) =>
  notRead(operation, {
    id: `storage/responses.expired-indirect-access-denied:${operation}`,
    reasons: ['expired'],
  }),
);
