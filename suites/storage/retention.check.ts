import {
  assumeServed,
  type CreationMode,
  check,
  checkEach,
  expect,
  Inconclusive,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { expired } from '../scenarios/points/gone.ts';
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
    for (const one of kept) {
      if (one instanceof Inconclusive) throw one;
      const { seen, lookup, inputItems, continued } = one;
      assumeServed([seen, ...controls]);
      for (const attempt of [lookup, inputItems, continued]) {
        if (attempt !== null) expect(attempt).toBeServed();
      }
    }
  },
);

checkEach('storage/responses.kept-by-creation-mode', (mode: Exclude<CreationMode, 'one-body'>) => ({
  on: expired[mode],
  judge: ({ kept }) => {
    for (const one of kept) {
      if (one instanceof Inconclusive) throw one;
      assumeServed(one.seen);
      expect(one.lookup).toBeServed();
    }
  },
}));

type AfterRetention = 'lookup' | 'input-items' | 'continue' | 'continue-websocket' | 'recover';

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
