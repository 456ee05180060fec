import { check, checkEach, expect, type StoredOperationName } from '../../harness/index.ts';
import { attempts, expectDenied } from '../stored-operations.ts';
import { deletedFor } from './deletion.ts';
import { streamedUnstored, unknown, unstored } from './unreachable.ts';

const onUnstored = attempts({ name: 'responses/store-false', subject: unstored });

checkEach('responses/store.false-denies', (operation: StoredOperationName) => ({
  on: onUnstored[operation],
  judge: expectDenied,
}));

check('responses/store.false-streamed-denies', streamedUnstored, ({ lookup, control, secret }) => {
  expect(lookup).toBeDenied({ secret: [secret], control });
});

const onUnknown = attempts({ name: 'responses/unknown-id', subject: () => unknown });

checkEach('responses/store.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown[operation],
  judge: expectDenied,
}));

const onDeleted = attempts({ name: 'responses/after-deletion', subject: deletedFor });

checkEach('responses/delete.denies-afterwards', (operation: StoredOperationName) => ({
  on: onDeleted[operation],
  judge: expectDenied,
}));
