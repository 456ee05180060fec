import { checkEach, type StoredOperationName, view } from '../../harness/index.ts';
import { readable } from '../scenarios/baselines.ts';
import { denied, type IndirectOperation, notRead } from '../scenarios/points/judged.ts';
import { attempts, expectDenied } from '../scenarios/stored/attempts.ts';
import { unknownLike } from '../scenarios/stored/unknown-ids.ts';

checkEach('storage/responses.false-denies', (operation: StoredOperationName) =>
  denied(operation, { id: `storage/responses.false-denies:${operation}`, reasons: ['unstored'] }),
);

checkEach('storage/responses.false-indirect-access-denied', (operation: IndirectOperation) =>
  notRead(operation, {
    id: `storage/responses.false-indirect-access-denied:${operation}`,
    reasons: ['unstored'],
  }),
);

/** The id of no response, in the form of one: letters and digits of a real one, moved on. */
const unknown = view({ readable }, ({ readable: { id, secret } }) => ({
  id: unknownLike(id),
  secret,
}));

const onUnknown = attempts({ name: 'storage/unknown-id', subject: () => unknown });

checkEach('storage/responses.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown[operation],
  judge: expectDenied,
}));
