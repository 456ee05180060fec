import {
  type Exchange,
  Inconclusive,
  jsonBody,
  listAt,
  scenario,
  storedOperations,
  textAt,
} from '../../harness/index.ts';
import { throughSideDoors } from '../side-doors.ts';
import { attempts } from '../stored-operations.ts';
import { unknownLike } from '../unknown-ids.ts';
import { whileRunning } from '../while-running.ts';
import { whereWordless } from '../wordless.ts';
import { otherUserAtHome, ownersSubjects, sameUserListed } from './key-controls.ts';
import { laterTurns } from './later-turns.ts';
import { otherwiseMadeElsewhere } from './otherwise-made.ts';
import { subjectsOn } from './stored-subjects.ts';

const asOtherUser = { key: 'otherUser' } as const;

/** Each operation on the owner's stored response, by another user. */
export const byOtherUser = attempts({
  name: 'rules/owners/other-user',
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
  name: 'rules/owners/later-turn',
  subject: ownersSubjects(storedOperations['continue-websocket']),
  as: () => asOtherUser,
  needs: {
    model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'otherUser' },
    keys: ['otherUser'],
  },
});

/** The owner's responses that no plain request has made, looked up and continued by another user. */
export const otherwiseMadeByOtherUser = otherwiseMadeElsewhere({
  name: 'rules/owners/otherwise-made',
  as: () => asOtherUser,
  needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
  controls: otherUserAtHome,
});

/** Each operation on the owner's stored response, by a second key of the same user. */
export const bySecondKey = attempts({
  name: 'rules/owners/same-user',
  subject: subjectsOn('rules/owners/shared', { permittedFor: 'sameUser' }),
  as: () => ({ key: 'sameUser' }),
  isServed: true,
  needs: { keys: ['sameUser'] },
  ownerFindsIt: true,
  controls: sameUserListed,
});

/** The owner's response as the one before a call of another user that generates nothing. */
export const byOtherUserThroughSideDoors = throughSideDoors({
  name: 'rules/owners/side-door',
  subject: ownersSubjects(storedOperations.lookup),
  as: () => asOtherUser,
  needs: { model: { permittedFor: 'otherUser' }, keys: ['otherUser'] },
});

/** Another user names an item that the owner was answered, one that nobody was, and none. */
export const itemByOtherUser = scenario(
  'rules/owners/item',
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
  'rules/owners/asked',
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
