import {
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
  mustBeServed,
  NothingToJudge,
  outcome,
  outputItems,
  textOfItem,
  turnsOf,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { mustGrow } from './growing-input.ts';
import { conversation, reconnected, storedTurn, turnOf } from './websocket-conversation.ts';
import {
  afterBrokenTurn,
  badFramesSent,
  failedContinuation,
  overlapping,
  plainGet,
} from './websocket-trouble.ts';

check('responses/websocket.turn-served', ordinary.websocket, ({ ordinary }) => {
  expect(ordinary).toBeServed();
});

check('responses/websocket.event-grammar', conversation, ({ talk }) => {
  expect(talk).toFollow('event-grammar');
});

check('responses/websocket.stored-is-stored', storedTurn, ({ turn, lookup }) => {
  mustBeServed(turn);
  expect(lookup).toBeServed();
  expectValue(finishedText(lookup), { as: 'text of the stored turn', of: lookup }).toEqual(
    finishedText(turn),
  );
});

check('responses/websocket.sequential-turns', conversation, ({ talk }) => {
  mustBeServed(turnOf(talk, 0));
  const second = turnsOf(talk)[1];
  if (second === undefined) {
    throw new ExpectationFailed('a connection that stays open for a turn', outcome(talk), talk);
  }
  expect(second).toBeServed();
});

check('responses/websocket.history-in-connection', conversation, ({ talk }) => {
  mustBeServed(turnOf(talk, 1));
  expect(turnOf(talk, 2)).toBeServed();
});

check('responses/websocket.history-carried', conversation, ({ talk }) => {
  const chain = [1, 2, 3].map((turn) => turnOf(talk, turn));
  mustBeServed(chain);
  mustGrow(chain, 'the chain');
});

const elsewhere = 'responses/websocket.history-ends-with-connection';

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

check('responses/websocket.no-interleaving', overlapping, ({ talk, ends }) => {
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

check('responses/websocket.bad-frame-survived', badFramesSent, ({ control, next }) => {
  mustBeServed(control);
  expect(next).toBeServed();
});

check('responses/websocket.broken-turn-survived', afterBrokenTurn, ({ control, seen, next }) => {
  mustBeServed([control, seen]);
  expect(next).toBeServed();
});

check('responses/websocket.failed-continuation-evicts', failedContinuation, ({ control, talk }) => {
  const failed = turnOf(talk, 1);
  mustBeServed([turnOf(control, 2), turnOf(talk, 0)]);
  if (isServed(failed)) {
    throw new NothingToJudge('the output of a call that was never made was accepted');
  }
  if (!isRefused(failed)) {
    throw new Inconclusive(`the continuation was not refused: ${outcome(failed)}`, failed);
  }
  const again = turnsOf(talk)[2];
  if (again === undefined) throw new NothingToJudge('the gateway closed after the failure');
  expect(again).toBeRefused();
});

check('responses/websocket.plain-get-refused', plainGet, ({ control, plain }) => {
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
