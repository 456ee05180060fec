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
  jsonBody,
  listAt,
  NothingToJudge,
  outcome,
  present,
  type StoredOperationName,
  scenario,
  storedOperations,
  textAt,
} from '../../harness/index.ts';
import { noTextHint } from '../scenarios/assumptions.ts';
import { assumeCancelledInTime } from '../scenarios/running/background-runs.ts';
import { attempts, expectDenied, firstRegion } from '../scenarios/stored/attempts.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/stored/indirect-access.ts';
import { expectNoneBefore, namedBefore } from '../scenarios/stored/named-before.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { unknownLike } from '../scenarios/stored/unknown-ids.ts';
import { countsMore } from '../scenarios/token-counts.ts';
import {
  attemptsAlsoWhileRunning,
  expectDeniedWhileRunning,
  type RunningOperation,
} from './attempts-while-running.ts';
import {
  creationModesElsewhere,
  expectNotFound,
  type OtherCreationMode,
} from './creation-modes.ts';
import {
  identicalByOtherUser,
  otherUserAtHome,
  ownersSubjects,
  sameUserListed,
} from './key-controls.ts';
import { expectLaterDenied, laterTurns } from './later-turns.ts';
import { subjectsOn } from './stored-subjects.ts';

const asOtherUser = { key: 'otherUser' } as const;

/** Each operation on the owner's stored response, by another user. */
const byOtherUser = attemptsAlsoWhileRunning({
  name: 'access/owners/other-user',
  subject: ownersSubjects,
  as: () => asOtherUser,
  needs: { keys: ['otherUser'] },
  owner: firstRegion,
  controls: otherUserAtHome,
});

checkEach('access/owners.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUser[operation],
  judge: expectDenied,
}));

checkEach('access/owners.running-denied', (operation: RunningOperation) => ({
  on: { run: byOtherUser.cancel, control: served[operation] },
  judge: ({ run, control }) => expectDeniedWhileRunning(operation, run, control.served),
}));

/** The owner's responses that no plain request has made, looked up and continued by another user. */
const creationModesByOtherUser = creationModesElsewhere({
  name: 'access/owners/by-creation-mode',
  as: () => asOtherUser,
  needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
  controls: otherUserAtHome,
});

checkEach('access/owners.denied-by-creation-mode', (made: OtherCreationMode) => ({
  on: creationModesByOtherUser[made],
  judge: expectNotFound,
}));

/** The owner's response, continued on a connection on which another user had a turn of its own. */
const otherUserInLaterTurn = laterTurns({
  name: 'access/owners/later-turn',
  subject: ownersSubjects(storedOperations['continue-websocket']),
  as: () => asOtherUser,
  needs: {
    model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'otherUser' },
    keys: ['otherUser'],
  },
});

check('access/owners.later-turn-denied', otherUserInLaterTurn, expectLaterDenied);

check('access/owners.identical-requests-separate', identicalByOtherUser, ({ owners, created }) => {
  assumeServed([owners.created, created]);
  const ownersId = idOf(owners.created);
  expectValue(idOf(created), { as: "the id of the other user's response", of: created }).toBe(
    `not ${ownersId}, which is the owner's`,
    (id) => id !== ownersId,
  );
});

/** Each operation on the owner's stored response, by a second key of the same user. */
const bySecondKey = attempts({
  name: 'access/owners/same-user',
  subject: subjectsOn('access/owners/shared', { permittedFor: 'sameUser' }),
  as: () => ({ key: 'sameUser' }),
  isServed: true,
  needs: { keys: ['sameUser'] },
  owner: firstRegion,
  controls: sameUserListed,
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

/** The owner's response as the one before a call of another user that generates nothing. */
const byOtherUserIndirectly = throughIndirectAccess({
  name: 'access/owners/indirect',
  subject: ownersSubjects(storedOperations.lookup),
  as: () => asOtherUser,
  needs: { model: { permittedFor: 'otherUser' }, keys: ['otherUser'] },
});

checkEach('access/owners.indirect-access-denied', (operation: IndirectOperation) => ({
  on: byOtherUserIndirectly[operation],
  judge: expectNotReadable,
}));

/** The same in the body of a protocol that continues no response. */
const inOtherBodies = namedBefore({
  name: 'access/owners/other-body',
  as: asOtherUser,
  keys: ['otherUser'],
  permittedFor: 'otherUser',
});

checkEach('access/owners.other-bodies-denied', (protocol: 'chat-completions' | 'generative') => ({
  on: inOtherBodies[protocol],
  judge: expectNoneBefore,
}));

/** Another user references an item of the owner's answer, one that does not exist, and none. */
const itemByOtherUser = scenario(
  'access/owners/item',
  {
    needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
    after: { stored: ownersSubjects(storedOperations.lookup) },
    cost: { requests: 3, generations: 3, chain: 1 },
  },
  async ({ responses, lane }, { stored: { created } }) => {
    const message = { role: 'user', content: 'Write one short sentence.' };
    const id = answeredItem(created);
    const reference = (to: string) => ({ type: 'item_reference', id: to });
    const [through, unknown, without] = await Promise.all([
      responses.create({ input: [reference(id), message] }, asOtherUser),
      lane('unknown').responses.create(
        { input: [reference(unknownLike(id)), message] },
        asOtherUser,
      ),
      lane('without').responses.create({ input: [message] }, asOtherUser),
    ]);
    return { through, unknown, without };
  },
);

/** @throws {Inconclusive} when no message has an id */
function answeredItem(created: Exchange): string {
  const messages = listAt(jsonBody(created), 'output').filter(
    (item) => textAt(item, 'type') === 'message',
  );
  const id = textAt(messages[0], 'id');
  if (id !== null) return id;
  throw new Inconclusive(`the response has no message with an id: ${noTextHint}`, created);
}

check('access/owners.item-reference', itemByOtherUser, ({ through, unknown, without }) => {
  // Read as the text that it is, a reference has tokens of its own, whatever it names.
  if (countsMore(inputTokens(unknown) ?? 0, inputTokens(without) ?? 0)) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectNotReadable({ secret: null, through, without });
});

/** Another user asks for the owner's response, and for one that does not exist. */
const askedByOtherUser = scenario(
  'access/owners/asked',
  {
    needs: { keys: ['otherUser'] },
    after: { lookup: byOtherUser.lookup, continued: byOtherUser.continue },
    cost: { requests: 2, generations: 0, refused: 1, chain: 1 },
  },
  async (io, { lookup, continued }) => {
    const { responses } = io;
    const id = unknownLike(lookup.id);
    const [noLookup, noContinuation] = await Promise.all([
      responses.lookup(id, asOtherUser),
      io.lane('continue').responses.create({ previous_response_id: id }, asOtherUser),
    ]);
    return [
      { operation: 'lookup', owners: lookup.attempt, unknown: noLookup },
      { operation: 'continuation', owners: continued.attempt, unknown: noContinuation },
    ];
  },
);

check('access/owners.denial-matches-unknown-id', askedByOtherUser, (asked) => {
  for (const { operation, owners, unknown } of asked) {
    assumeRefused(owners);
    assumeRefused(unknown);
    const as = `the denial of a ${operation}`;
    expectValue(denial(owners), { as, of: owners }).toEqual(denial(unknown));
  }
});

/** What is not denied at all is judged elsewhere. */
function assumeRefused(exchange: Exchange): void {
  if (isRefused(exchange)) return;
  throw new Inconclusive(`not denied, but ${outcome(exchange)}`, exchange);
}

function denial(exchange: Exchange): object {
  return { status: exchange.response?.status, code: errorBody(exchange)?.code ?? null };
}
