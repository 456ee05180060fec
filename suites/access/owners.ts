import {
  type Exchange,
  Inconclusive,
  jsonBody,
  listAt,
  scenario,
  storedOperations,
  textAt,
} from '../../harness/index.ts';
import { whereWordless } from '../scenarios/empty-answers.ts';
import { throughIndirectAccess } from '../scenarios/indirect-access.ts';
import { whileRunning } from '../scenarios/running-responses.ts';
import { attempts } from '../scenarios/stored-operations.ts';
import { unknownLike } from '../scenarios/unknown-ids.ts';
import { creationModesElsewhere } from './creation-modes.ts';
import { otherUserAtHome, ownersSubjects, sameUserListed } from './key-controls.ts';
import { laterTurns } from './later-turns.ts';
import { subjectsOn } from './stored-subjects.ts';

const asOtherUser = { key: 'otherUser' } as const;

/** Each operation on the owner's stored response, by another user. */
export const byOtherUser = attempts({
  name: 'access/owners/other-user',
  subject: ownersSubjects,
  as: () => asOtherUser,
  needs: { keys: ['otherUser'] },
  ownerFindsIt: true,
  controls: otherUserAtHome,
});

/** What else another user tries while the owner's response runs. */
export const byOtherUserWhileRunning = whileRunning(byOtherUser.cancel);

/** The owner's response, continued on a connection on which another user had a turn of its own. */
export const otherUserInLaterTurn = laterTurns({
  name: 'access/owners/later-turn',
  subject: ownersSubjects(storedOperations['continue-websocket']),
  as: () => asOtherUser,
  needs: {
    model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'otherUser' },
    keys: ['otherUser'],
  },
});

/** The owner's responses that no plain request has made, looked up and continued by another user. */
export const creationModesByOtherUser = creationModesElsewhere({
  name: 'access/owners/otherwise-made',
  as: () => asOtherUser,
  needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
  controls: otherUserAtHome,
});

/** Each operation on the owner's stored response, by a second key of the same user. */
export const bySecondKey = attempts({
  name: 'access/owners/same-user',
  subject: subjectsOn('access/owners/shared', { permittedFor: 'sameUser' }),
  as: () => ({ key: 'sameUser' }),
  isServed: true,
  needs: { keys: ['sameUser'] },
  ownerFindsIt: true,
  controls: sameUserListed,
});

/** The owner's response as the one before a call of another user that generates nothing. */
export const byOtherUserIndirectly = throughIndirectAccess({
  name: 'access/owners/side-door',
  subject: ownersSubjects(storedOperations.lookup),
  as: () => asOtherUser,
  needs: { model: { permittedFor: 'otherUser' }, keys: ['otherUser'] },
});

/** Another user names an item that the owner was answered, one that nobody was, and none. */
export const itemByOtherUser = scenario(
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
  throw new Inconclusive(`the response has no message with an id: ${whereWordless}`, created);
}

/** Another user asks for the owner's response, and for one that does not exist. */
export const askedByOtherUser = scenario(
  'access/owners/asked',
  {
    needs: { keys: ['otherUser'] },
    after: { lookup: byOtherUser.lookup, continued: byOtherUser.continue },
    cost: { requests: 2, generations: 1, chain: 1 },
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
