import {
  at,
  check,
  checkEach,
  type Exchange,
  errorBody,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  jsonBody,
  mustBeServed,
  present,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { whereWordless } from '../wordless.ts';
import { resumedAndDeleted } from './broken-streams.ts';
import { branchDeleted } from './chain.ts';
import { type DeletedOtherwiseMade, deletedOtherwiseMade } from './deleted-otherwise-made.ts';
import { deleted, mustBeDeleted } from './deletion.ts';
import { deletedWhileStreaming, endOf, expectEndedEarly } from './stopped-streams.ts';

check('responses/delete.served', ordinary.delete, ({ ordinary }) => {
  expectDeleted(ordinary);
});

check('responses/delete.shape', ordinary.delete, ({ ordinary, id }) => {
  mustBeDeleted(ordinary);
  expect(ordinary).toHave('id', (body) => at(body, 'id') === present(id, 'id'));
  expect(ordinary).toHave('deleted', (body) => at(body, 'deleted') === true);
});

check('responses/delete.leaves-others', deleted, ({ deletion, other, before }) => {
  mustBeDeleted(deletion);
  mustBeServed(before);
  expect(other).toBeServed();
});

checkEach('responses/delete.otherwise-made-denied', (made: DeletedOtherwiseMade) => ({
  on: deletedOtherwiseMade[made],
  judge: ({ secret, deletion, there, lookup, continued }) => {
    mustBeDeleted(deletion);
    for (const { attempt, control } of [lookup, continued]) {
      expect(attempt).toBeDenied({ secret: [secret], control });
    }
    if (there) expect(there).toBeDenied({ secret: [secret], control: continued.control });
  },
}));

check('responses/delete.leaves-the-one-before', branchDeleted, ({ deletion, parent, controls }) => {
  mustBeServed(controls);
  mustBeDeleted(deletion);
  expect(parent).toBeServed();
});

check('responses/delete.cancels-running', deletedWhileStreaming, ({ stream, stop }) => {
  endOf(stream);
  expectDeleted(stop);
  expectEndedEarly(stream, stop);
});

check(
  'responses/delete.removes-the-events',
  resumedAndDeleted,
  ({ rest, lookups, deletion, again }) => {
    // The text may have come in one piece, before the stream was broken off.
    const text = [rest, ...lookups].map(generatedText).find((one) => one !== '');
    if (text === undefined) {
      mustBeServed(lookups);
      throw new Inconclusive(`the response had no text: ${whereWordless}`, rest);
    }
    mustBeServed(rest);
    mustBeDeleted(deletion);
    expectValue(generatedText(again), { as: 'the recovered text', of: again }).toEqual('');
  },
);

/** What a deletion answers is not said, only that it is 2xx. */
function expectDeleted(deletion: Exchange): void {
  expect(deletion).toHaveStatus(200, 202, 204);
  expectValue(errorBody(deletion), { as: 'the error in the answer', of: deletion }).toEqual(null);
  const body = jsonBody(deletion);
  if (Array.isArray(at(body, 'output')) && at(body, 'deleted') !== true) {
    const reason = 'a whole response came, as a lookup gives: it does not say that it was deleted';
    throw new Inconclusive(reason, deletion);
  }
}
