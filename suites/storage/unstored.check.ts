import { check, checkEach, expect, type StoredOperationName, view } from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
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

check(
  'storage/responses.unstored-at-the-end',
  { lastLook, unstored: baseline.websocket, control: baseline.lookup },
  ({ lastLook, control: { baseline: control } }) =>
    judgeLooks(lastLook, 'unstored', ({ now }) => {
      expect(now).toBeRefused({ control });
    }),
);
