import {
  assumeServed,
  check,
  checkEach,
  type Exchange,
  errorBody,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  inputTokens,
  isRefused,
  NothingToJudge,
  outcome,
  present,
  type StoredOperationName,
} from '../../harness/index.ts';
import { assumeCancelledInTime } from '../scenarios/background-runs.ts';
import { expectNotReadable, type IndirectOperation } from '../scenarios/indirect-access.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../scenarios/running-responses.ts';
import { expectDenied } from '../scenarios/stored-operations.ts';
import { expectNotFound, type OtherCreationMode } from './creation-modes.ts';
import { identicalByOtherUser } from './key-controls.ts';
import { expectLaterDenied } from './later-turns.ts';
import {
  askedByOtherUser,
  byOtherUser,
  byOtherUserIndirectly,
  byOtherUserWhileRunning,
  bySecondKey,
  creationModesByOtherUser,
  itemByOtherUser,
  otherUserInLaterTurn,
} from './owners.ts';

checkEach('access/owners.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUser[operation],
  judge: expectDenied,
}));

checkEach('access/owners.running-denied', (operation: OnRunning) => ({
  on: byOtherUserWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));

checkEach('access/owners.denied-by-creation-mode', (made: OtherCreationMode) => ({
  on: creationModesByOtherUser[made],
  judge: expectNotFound,
}));

check('access/owners.later-turn-denied', otherUserInLaterTurn, expectLaterDenied);

check('access/owners.identical-requests-separate', identicalByOtherUser, ({ owners, created }) => {
  assumeServed([owners.created, created]);
  const ownersId = idOf(owners.created);
  expectValue(idOf(created), { as: "the id of the other user's response", of: created }).toBe(
    `not ${ownersId}, which is the owner's`,
    (id) => id !== ownersId,
  );
});

checkEach('access/owners.same-user-served', (operation: StoredOperationName) => ({
  on: bySecondKey[operation],
  judge: ({ operation, attempt, controls, owner }) => {
    const { before, after } = present(owner, 'lookups by the owner');
    assumeServed([...controls, before]);
    if (operation.name === 'cancel') assumeCancelledInTime({ cancel: attempt, lookups: [after] });
    expect(attempt).toBeServed();
  },
}));

checkEach('access/owners.indirect-access-denied', (door: IndirectOperation) => ({
  on: byOtherUserIndirectly[door],
  judge: expectNotReadable,
}));

check('access/owners.item-reference', itemByOtherUser, ({ through, unknown, without }) => {
  // Read as the text that it is, a reference has tokens of its own, whatever it names.
  if (countsMore(unknown, without)) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectNotReadable({ secret: null, through, without });
});

check('access/owners.denial-matches-unknown-id', askedByOtherUser, (asked) => {
  for (const { operation, owners, unknown } of asked) {
    assumeRefused(owners);
    assumeRefused(unknown);
    const as = `the denial of a ${operation}`;
    expectValue(denial(owners), { as, of: owners }).toEqual(denial(unknown));
  }
});

function countsMore(one: Exchange, other: Exchange): boolean {
  return (inputTokens(one) ?? 0) > (inputTokens(other) ?? 0);
}

function denial(exchange: Exchange): object {
  return { status: exchange.response?.status, code: errorBody(exchange)?.code ?? null };
}

/** What is not denied at all is judged elsewhere. */
function assumeRefused(exchange: Exchange): void {
  if (isRefused(exchange)) return;
  throw new Inconclusive(`not denied, but ${outcome(exchange)}`, exchange);
}
