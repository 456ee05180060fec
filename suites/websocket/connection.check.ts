import {
  assumeServed,
  check,
  type Exchange,
  ExpectationFailed,
  expect,
  expectValue,
  Inconclusive,
  isLost,
  isRefused,
  isServed,
  lostBecause,
  NothingToJudge,
  outcome,
  outputItems,
  textOfItem,
  turnsOf,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { expectGrowth } from '../scenarios/growing-input.ts';
import {
  conversation,
  reconnected,
  storedTurn,
  turnOf,
} from '../scenarios/websocket-conversation.ts';
import {
  afterBrokenTurn,
  badFramesSent,
  failedContinuation,
  overlapping,
  plainGet,
} from './websocket-trouble.ts';

check('websocket/connection.turn-served', baseline.websocket, ({ baseline }) => {
  expect(baseline).toBeServed();
});

check('websocket/connection.event-grammar', conversation, ({ talk }) => {
  expect(talk).toFollow('event-grammar');
});

check('websocket/connection.stored-is-stored', storedTurn, ({ turn, lookup }) => {
  assumeServed(turn);
  expect(lookup).toBeServed();
  expectValue(finishedText(lookup), { as: 'text of the stored turn', of: lookup }).toEqual(
    finishedText(turn),
  );
});

check('websocket/connection.sequential-turns', conversation, ({ talk }) => {
  assumeServed(turnOf(talk, 0));
  const second = turnsOf(talk)[1];
  if (second === undefined) {
    throw new ExpectationFailed('a connection that stays open for a turn', outcome(talk), talk);
  }
  expect(second).toBeServed();
});

check('websocket/connection.history-in-connection', conversation, ({ talk }) => {
  assumeServed(turnOf(talk, 1));
  expect(turnOf(talk, 2)).toBeServed();
});

check('websocket/connection.history-carried', conversation, ({ talk }) => {
  const chain = [1, 2, 3].map((turn) => turnOf(talk, turn));
  assumeServed(chain);
  expectGrowth(chain, 'the chain');
});

const elsewhere = 'websocket/connection.history-ends-with-connection';

check(`${elsewhere}:other-connection`, conversation, ({ talk, elsewhere }) => {
  const { otherConnection } = tried(elsewhere, talk);
  expect(otherConnection).toBeRefused({ control: turnOf(talk, 3) });
});

check(`${elsewhere}:reconnect`, reconnected, ({ talk, again }) => {
  expect(again).toBeRefused({ control: turnOf(talk, 3) });
});

check(`${elsewhere}:http`, conversation, ({ talk, elsewhere }) => {
  const { http, storedOverHttp } = tried(elsewhere, talk);
  const control = tried(storedOverHttp, talk);
  expect(http).toBeRefused({ control: [turnOf(talk, 3), control] });
});

check('websocket/connection.no-interleaving', overlapping, ({ talk, ends }) => {
  expect(talk).toFollow('no-interleaving');
  if (ends.every((type) => type === 'error')) {
    throw new Inconclusive(`neither turn was served: ${outcome(talk)}`, talk);
  }
  if (ends.length === 2) return;
  if (isLost(talk.failure)) {
    throw new Inconclusive(`the second turn had no answer: ${talk.failure.message}`, talk);
  }
  throw new ExpectationFailed(
    'a turn or an error frame for each of both frames',
    outcome(talk),
    talk,
  );
});

check('websocket/connection.bad-frame-survived', badFramesSent, ({ control, next }) => {
  assumeServed(control);
  expect(next).toBeServed();
});

check('websocket/connection.broken-turn-survived', afterBrokenTurn, ({ control, seen, next }) => {
  assumeServed([control, seen]);
  expect(next).toBeServed();
});

check(
  'websocket/connection.failed-continuation-evicted',
  failedContinuation,
  ({ control, talk }) => {
    const failed = turnOf(talk, 1);
    assumeServed([turnOf(control, 2), turnOf(talk, 0)]);
    if (isServed(failed)) {
      throw new NothingToJudge('the output of a call that was never made was accepted');
    }
    if (!isRefused(failed)) {
      throw new Inconclusive(`the continuation was not refused: ${outcome(failed)}`, failed);
    }
    const again = turnsOf(talk)[2];
    if (again === undefined) throw new NothingToJudge('the gateway closed after the failure');
    expect(again).toBeRefused();
  },
);

check('websocket/connection.plain-get-refused', plainGet, ({ control, plain }) => {
  expect(plain).toBeRefused({ control });
});

/** The text of the finished message items, whatever the events before them said. */
function finishedText(exchange: Exchange): string {
  return outputItems(exchange).map(textOfItem).join('');
}

/** @throws {Inconclusive} when there was nothing to try it on */
function tried<T>(attempt: T | null, talk: Exchange): T {
  if (attempt !== null) return attempt;
  throw new Inconclusive(`a turn of the conversation named no response${lostBecause(talk)}`, talk);
}
