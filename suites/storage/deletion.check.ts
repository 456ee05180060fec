import {
  assumeServed,
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
  present,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { resumedAndDeleted } from '../scenarios/broken-streams.ts';
import { branchDeleted } from '../scenarios/chain.ts';
import { type DeletedByMode, deletedByMode } from '../scenarios/deleted-creation-modes.ts';
import { assumeDeleted, deleted } from '../scenarios/deletion.ts';
import { whereWordless } from '../scenarios/empty-answers.ts';
import { deletedWhileStreaming, endOf, expectEndedEarly } from '../scenarios/stopped-streams.ts';

check('storage/deletion.served', baseline.delete, ({ baseline }) => {
  expectDeleted(baseline);
});

check('storage/deletion.shape', baseline.delete, ({ baseline, id }) => {
  assumeDeleted(baseline);
  expect(baseline).toHave('id', (body) => at(body, 'id') === present(id, 'id'));
  expect(baseline).toHave('deleted', (body) => at(body, 'deleted') === true);
});

check('storage/deletion.leaves-others', deleted, ({ deletion, other, before }) => {
  assumeDeleted(deletion);
  assumeServed(before);
  expect(other).toBeServed();
});

checkEach('storage/deletion.denied-by-creation-mode', (made: DeletedByMode) => ({
  on: deletedByMode[made],
  judge: ({ secret, deletion, there, lookup, continued }) => {
    assumeDeleted(deletion);
    for (const { attempt, control } of [lookup, continued]) {
      expect(attempt).toBeDenied({ secret: [secret], control });
    }
    if (there) expect(there).toBeDenied({ secret: [secret], control: continued.control });
  },
}));

check('storage/deletion.leaves-predecessor', branchDeleted, ({ deletion, parent, controls }) => {
  assumeServed(controls);
  assumeDeleted(deletion);
  expect(parent).toBeServed();
});

check('storage/deletion.cancels-running', deletedWhileStreaming, ({ stream, stop }) => {
  endOf(stream);
  expectDeleted(stop);
  expectEndedEarly(stream, stop);
});

check(
  'storage/deletion.removes-events',
  resumedAndDeleted,
  ({ rest, lookups, deletion, again }) => {
    // The text may have come in one piece, before the stream was broken off.
    const text = [rest, ...lookups].map(generatedText).find((one) => one !== '');
    if (text === undefined) {
      assumeServed(lookups);
      throw new Inconclusive(`the response had no text: ${whereWordless}`, rest);
    }
    assumeServed(rest);
    assumeDeleted(deletion);
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
