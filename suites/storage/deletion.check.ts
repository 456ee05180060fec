import {
  answerOf,
  assumeServed,
  type Captures,
  type Cell,
  type CreationMode,
  check,
  contentOf,
  type Exchange,
  errorBody,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  isCarriedOut,
  isRefused,
  isServed,
  json,
  judgeByFirst,
  NothingToJudge,
  scenario,
  view,
} from '../../harness/index.ts';
import { baseline, lookupControl } from '../scenarios/baselines.ts';
import { distinctive, present } from '../scenarios/exchanges.ts';
import { continuedWithResult } from '../scenarios/generations/tool-calls.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import { isDeletion } from '../scenarios/points/acted.ts';
import {
  attemptIn,
  checkDenied,
  checkNotRead,
  deletions,
  ends,
  isCertain,
  judgeDenied,
  judgePoints,
} from '../scenarios/points/judged.ts';
import {
  endOf,
  lookedUpAfterInterruption,
  noTextHint,
  resumed,
} from '../scenarios/running/interrupted-streams.ts';
import {
  type DeletedUnstreamed,
  deletedTwice,
  deletedTwiceInForeground,
  deletedUnstreamed,
  expectEndedEarly,
  expectNotAwaited,
  expectStoppedByLedger,
  type StoppedTwice,
} from '../scenarios/running/stopped-streams.ts';
import { branchDeleted, deletedParent } from '../scenarios/stored/chain.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { refusedTurns } from '../scenarios/websocket/conversation.ts';
import { given } from './given.ts';
import { callLookedUp } from './looked-up.ts';

check('storage/deletion.served', baseline.delete, ({ baseline }) => {
  expectDeleted(baseline);
});

/** Judges that a deletion succeeded. No source specifies its answer beyond a 2xx status. */
function expectDeleted(deletion: Exchange): void {
  expect(deletion).toHaveStatus(200, 202, 204);
  expectValue(errorBody(deletion), { as: 'the error in the answer', of: deletion }).toEqual(null);
  const body = answerOf(deletion).value;
  if (Array.isArray(json.at(body, 'output')) && json.at(body, 'deleted') !== true) {
    const reason = 'a whole response came, as a lookup gives: it does not say that it was deleted';
    throw new Inconclusive(reason, deletion);
  }
}

check.each('storage/deletion.by-creation-mode', (mode: CreationMode) => ({
  on: deletions,
  judge: (all) =>
    judgePoints(
      all,
      (cell) => cell.mode === mode,
      ({ cell, attempt, made }) => {
        assumeServed(made.created);
        if (cell.reason === 'second-key' && isRefused(attempt)) {
          throw new NothingToJudge('a second key of the user was refused: the owner was asked');
        }
        expectDeleted(attempt);
      },
    ),
}));

check.each(
  'storage/deletion.of-each-state',
  (state: 'cancelled' | 'cut-background' | 'grandchild' | 'orphan') => ({
    on: { acted: given[state], control: lookupControl },
    judge: (captured, context) => {
      expectDeleted(attemptIn(captured.acted, isDeletion));
      return judgeDenied(captured, (cell) => cell.reason === 'deleted' && isCertain(cell), context);
    },
  }),
);

check.each(
  'storage/deletion.left-open-in-each-state',
  (state: Exclude<keyof typeof given, 'cancelled'>) => ({
    on: { acted: given[state], control: lookupControl },
    judge: (captured, context) => judgeDenied(captured, (cell) => !isCertain(cell), context),
  }),
);

check('storage/deletion.shape', baseline.delete, ({ baseline, id }) => {
  assumeDeleted(baseline);
  expect(baseline).toHave('id', (body) => json.at(body, 'id') === present(id, 'id'));
  expect(baseline).toHave('deleted', (body) => json.at(body, 'deleted') === true);
});

/**
 * Leaves a check that depends on a deletion undecided.
 *
 * @throws {Inconclusive} if the deletion was refused
 */
function assumeDeleted(deletion: Exchange): void {
  if (isCarriedOut(deletion)) return;
  throw new Inconclusive('the response was not deleted', deletion);
}

check('storage/deletion.leaves-others', deletedParent, ({ deletion, other, before }) => {
  assumeDeleted(deletion);
  assumeServed(before);
  expect(other).toBeServed();
});

check(
  'storage/deletion.leaves-continuation',
  deletedParent,
  ({ child, deletion, before, after }) => {
    assumeServed([before, child]);
    assumeDeleted(deletion);
    expect(present(after, 'lookups of the continuation').child).toBeServed();
  },
);

check(
  'storage/deletion.continuation-continued',
  deletedParent,
  ({ child, deletion, before, after }) => {
    assumeServed([before, child]);
    assumeDeleted(deletion);
    expect(present(after, 'continuation of the continuation').next).toBeServed();
  },
);

check('storage/deletion.continuation-input', deletedParent, (captured, { note }) => {
  const { child, deletion, secret, after, itemsControl } = captured;
  assumeServed([child, itemsControl]);
  assumeDeleted(deletion);
  const { items } = present(after, 'lookups of the continuation');
  const shows = JSON.stringify(answerOf(items).value ?? null).includes(secret);
  note(`the input items of the continuation ${shows ? 'still show' : 'do not show'} it`, items);
});

check(
  'storage/deletion.denied-on-its-connection',
  { refusedTurns, control: served['continue-websocket'] },
  ({ refusedTurns: { secret, made, deletion, there }, control }) => {
    if (deletion === null) throw new Inconclusive('no turn was made', made);
    assumeDeleted(deletion);
    if (there) expect(there).toBeDenied({ secret: [secret], control: control.served });
  },
);

check('storage/deletion.leaves-predecessor', branchDeleted, ({ deletion, parent, controls }) => {
  assumeServed(controls);
  assumeDeleted(deletion);
  expect(parent).toBeServed();
});

interface DeletedWhileRunning {
  readonly streamed: StoppedTwice;
  readonly unstreamed: DeletedUnstreamed | null;
}

const deletedWhileRunning: Readonly<
  Record<'background' | 'foreground', Captures<DeletedWhileRunning>>
> = {
  background: view({ streamed: deletedTwice, unstreamed: deletedUnstreamed }, (both) => both),
  foreground: view({ streamed: deletedTwiceInForeground }, (one) => ({ ...one, unstreamed: null })),
};

check.each('storage/deletion.cancels-running', (run: keyof typeof deletedWhileRunning) => ({
  on: deletedWhileRunning[run],
  judge: ({ streamed, unstreamed }) => {
    const { stream, stop } = streamed.first;
    endOf(stream);
    if (run === 'foreground' && stop.response?.status === 404) {
      throw new NothingToJudge('a foreground response is not found before it has ended');
    }
    expectDeleted(stop);
    const byLedger = () => {
      if (unstreamed === null) return expectNotAwaited(streamed);
      expectDeleted(unstreamed.deletion);
      expectStoppedByLedger(unstreamed);
    };
    judgeByFirst(
      () => expectEndedEarly(streamed.first),
      () => expectNotAwaited(streamed),
      byLedger,
    );
  },
}));

check('storage/deletion.stops-run-in-region', ends, (points) =>
  judgePoints(points, isOpen, ({ attempt, open, made }) => {
    assumeServed(made.created);
    if (open === undefined) throw new Inconclusive('the run had no open stream', made.created);
    expectDeleted(attempt);
    expectEndedEarly({ id: made.id, secret: made.word, ...open, stop: attempt });
  }),
);

/** True for the deletion of a run whose events can be fetched again. */
function isOpen({ operation, mode }: Cell): boolean {
  return operation === 'delete' && mode === 'background-stream';
}

check(
  'storage/deletion.removes-events',
  {
    resumed,
    lookedUp: lookedUpAfterInterruption.background,
    acted: given['cut-background'],
  },
  ({ resumed: { rest }, lookedUp: { lookups }, acted }) => {
    const deletion = attemptIn(acted, isDeletion);
    const again = attemptIn(
      acted,
      ({ reason, requestMode }) => reason === 'deleted' && requestMode === 'whole',
    );
    // The text may have arrived in one piece, before the interruption.
    const text = [rest, ...lookups].map((one) => contentOf(one).text).find((one) => one !== '');
    if (text === undefined) {
      assumeServed(lookups);
      throw new Inconclusive(`the response had no text: ${noTextHint}`, rest);
    }
    // Nothing may be left of a stream whose text arrived in one piece.
    if (!isServed(rest, { nothingLeft: true })) assumeServed(rest);
    assumeDeleted(deletion);
    expectValue(contentOf(again).text, { as: 'the recovered text', of: again }).toEqual('');
  },
);

checkDenied('storage/deletion.denies-afterwards', ['deleted']);

checkNotRead('storage/deletion.indirect-access-denied', 'deleted');

check(
  'storage/deletion.denied-at-the-end',
  { lastLook, deleted: baseline.delete, control: lookupControl },
  ({ lastLook, control: { baseline: control } }) =>
    judgeLooks(lastLook, 'deleted', ({ before, now }) => {
      const text = before === null ? '' : contentOf(before).text;
      // A run that was stopped early may have generated nothing but a common word.
      expect(now).toBeDenied({ secret: text.length < distinctive ? [] : [text], control });
    }),
);

/** Deletes a response that ends in a call, after all that need it. */
const callDeleted = scenario(
  'storage/call-deleted',
  {
    after: { lookedUp: callLookedUp, next: continuedWithResult },
    cost: { requests: 4, generations: 0, refused: 1, continues: 1, chain: 2 },
  },
  async ({ responses }, { lookedUp: { created } }) => {
    if (isRefused(created)) return { created, acts: null };
    const id = idOf(created);
    const deletion = await responses.delete(id);
    const after = await Promise.all([
      responses.lookup(id),
      responses.inputItems(id),
      responses.create({ previous_response_id: id }),
    ]);
    return { created, acts: { deletion, after } };
  },
);

check(
  'storage/deletion.of-a-call',
  { callDeleted, deleted: baseline.delete, control: lookupControl },
  ({ callDeleted: { created, acts }, deleted, control: { baseline: control } }) => {
    assumeDeleted(deleted.baseline);
    if (acts === null) throw new NothingToJudge('the model takes no functions');
    assumeServed(created);
    expectDeleted(acts.deletion);
    for (const one of acts.after) expect(one).toBeDenied({ secret: [], control });
  },
);
