import {
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
  mustBeServed,
  NothingToJudge,
  outcome,
  present,
  type StoredOperationName,
} from '../../harness/index.ts';
import { mustNotHaveComeTooLate } from '../responses/background-runs.ts';
import { type Door, expectClosed } from '../side-doors.ts';
import { expectDenied } from '../stored-operations.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../while-running.ts';
import { identicalByOtherUser } from './key-controls.ts';
import { expectLaterDenied } from './later-turns.ts';
import { expectNotFound, type OtherwiseMade } from './otherwise-made.ts';
import {
  askedByOtherUser,
  byOtherUser,
  byOtherUserThroughSideDoors,
  byOtherUserWhileRunning,
  bySecondKey,
  itemByOtherUser,
  otherUserInLaterTurn,
  otherwiseMadeByOtherUser,
} from './owners.ts';

checkEach('rules/owners.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUser[operation],
  judge: expectDenied,
}));

checkEach('rules/owners.running-denied', (operation: OnRunning) => ({
  on: byOtherUserWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));

checkEach('rules/owners.otherwise-made-denied', (made: OtherwiseMade) => ({
  on: otherwiseMadeByOtherUser[made],
  judge: expectNotFound,
}));

check('rules/owners.later-turn-denied', otherUserInLaterTurn, expectLaterDenied);

check('rules/owners.identical-request-apart', identicalByOtherUser, ({ owners, created }) => {
  mustBeServed([owners.created, created]);
  const ownersId = idOf(owners.created);
  expectValue(idOf(created), { as: "the id of the other user's response", of: created }).toBe(
    `not ${ownersId}, which is the owner's`,
    (id) => id !== ownersId,
  );
});

checkEach('rules/owners.same-user-served', (operation: StoredOperationName) => ({
  on: bySecondKey[operation],
  judge: ({ operation, attempt, controls, owner }) => {
    const { before, after } = present(owner, 'lookups by the owner');
    mustBeServed([...controls, before]);
    if (operation.name === 'cancel') mustNotHaveComeTooLate({ cancel: attempt, lookups: [after] });
    expect(attempt).toBeServed();
  },
}));

checkEach('rules/owners.no-side-door', (door: Door) => ({
  on: byOtherUserThroughSideDoors[door],
  judge: expectClosed,
}));

check('rules/owners.item-reference', itemByOtherUser, ({ through, unknown, without }) => {
  // Read as the text that it is, a reference has tokens of its own, whatever it names.
  if (countsMore(unknown, without)) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectClosed({ secret: null, through, without });
});

check('rules/owners.denial-like-unknown', askedByOtherUser, (asked) => {
  for (const { operation, owners, unknown } of asked) {
    mustBeRefused(owners);
    mustBeRefused(unknown);
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
function mustBeRefused(exchange: Exchange): void {
  if (isRefused(exchange)) return;
  throw new Inconclusive(`not denied, but ${outcome(exchange)}`, exchange);
}
