import {
  assumeServed,
  check,
  checkEach,
  expect,
  isServed,
  type StoredOperationName,
  storedOperations,
} from '../../harness/index.ts';
import { deletedFor } from '../scenarios/deletion.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/indirect-access.ts';
import { attempts, expectDenied } from '../scenarios/stored-operations.ts';
import { streamedUnstored, unknown, unstored } from './unreachable.ts';
import { type UnstoredTurn, unstoredTurns } from './unstored-turns.ts';

const onUnstored = attempts({ name: 'responses/store-false', subject: unstored });

checkEach('storage/responses.false-denies', (operation: StoredOperationName) => ({
  on: onUnstored[operation],
  judge: expectDenied,
}));

check('storage/responses.false-streamed-denies', streamedUnstored, (unstored) => {
  const { attempts, controls: control, secret } = unstored;
  for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [secret], control });
});

checkEach('storage/responses.false-denied-by-creation-mode', (made: UnstoredTurn) => ({
  on: unstoredTurns[made],
  judge: ({ attempts, controls: control }) => {
    for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [], control });
  },
}));

const onUnknown = attempts({ name: 'responses/unknown-id', subject: () => unknown });

checkEach('storage/responses.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown[operation],
  judge: expectDenied,
}));

const onDeleted = attempts({ name: 'responses/after-deletion', subject: deletedFor });

checkEach('storage/deletion.denies-afterwards', (operation: StoredOperationName) => ({
  on: onDeleted[operation],
  judge: (tried) => {
    const { attempt, secret, controls } = tried;
    // Where it is deleted already, a deletion has nothing left to do, and may well say so with 2xx.
    if (operation !== 'delete' || !isServed(attempt)) return expectDenied(tried);
    assumeServed(controls);
    expect(attempt).toShowNoneOf([secret]);
  },
}));

const unstoredThroughSideDoors = throughIndirectAccess({
  name: 'responses/store-false/side-door',
  subject: unstored(storedOperations.lookup),
});

checkEach('storage/responses.false-indirect-access-denied', (door: IndirectOperation) => ({
  on: unstoredThroughSideDoors[door],
  judge: expectNotReadable,
}));

const deletedThroughSideDoors = throughIndirectAccess({
  name: 'responses/after-deletion/side-door',
  subject: deletedFor(storedOperations.lookup),
});

checkEach('storage/deletion.indirect-access-denied', (door: IndirectOperation) => ({
  on: deletedThroughSideDoors[door],
  judge: expectNotReadable,
}));
