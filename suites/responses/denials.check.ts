import {
  check,
  checkEach,
  expect,
  isServed,
  mustBeServed,
  type StoredOperationName,
  storedOperations,
} from '../../harness/index.ts';
import { type Door, expectClosed, throughSideDoors } from '../side-doors.ts';
import { attempts, expectDenied } from '../stored-operations.ts';
import { deletedFor } from './deletion.ts';
import { streamedUnstored, unknown, unstored } from './unreachable.ts';
import { type UnstoredTurn, unstoredTurns } from './unstored-turns.ts';

const onUnstored = attempts({ name: 'responses/store-false', subject: unstored });

checkEach('responses/store.false-denies', (operation: StoredOperationName) => ({
  on: onUnstored[operation],
  judge: expectDenied,
}));

check('responses/store.false-streamed-denies', streamedUnstored, (unstored) => {
  const { attempts, controls: control, secret } = unstored;
  for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [secret], control });
});

checkEach('responses/store.false-otherwise-made-denies', (made: UnstoredTurn) => ({
  on: unstoredTurns[made],
  judge: ({ attempts, controls: control }) => {
    for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [], control });
  },
}));

const onUnknown = attempts({ name: 'responses/unknown-id', subject: () => unknown });

checkEach('responses/store.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown[operation],
  judge: expectDenied,
}));

const onDeleted = attempts({ name: 'responses/after-deletion', subject: deletedFor });

checkEach('responses/delete.denies-afterwards', (operation: StoredOperationName) => ({
  on: onDeleted[operation],
  judge: (tried) => {
    const { attempt, secret, controls } = tried;
    // Where it is deleted already, a deletion has nothing left to do, and may well say so with 2xx.
    if (operation !== 'delete' || !isServed(attempt)) return expectDenied(tried);
    mustBeServed(controls);
    expect(attempt).toShowNoneOf([secret]);
  },
}));

const unstoredThroughSideDoors = throughSideDoors({
  name: 'responses/store-false/side-door',
  subject: unstored(storedOperations.lookup),
});

checkEach('responses/store.false-no-side-door', (door: Door) => ({
  on: unstoredThroughSideDoors[door],
  judge: expectClosed,
}));

const deletedThroughSideDoors = throughSideDoors({
  name: 'responses/after-deletion/side-door',
  subject: deletedFor(storedOperations.lookup),
});

checkEach('responses/delete.no-side-door', (door: Door) => ({
  on: deletedThroughSideDoors[door],
  judge: expectClosed,
}));
