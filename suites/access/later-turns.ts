import {
  type CallOptions,
  type Captures,
  type Exchange,
  expect,
  Inconclusive,
  type Io,
  type Needs,
  type Scenario,
  scenario,
  turnsOf,
} from '../../harness/index.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import type { Subject } from '../scenarios/stored/stored-responses.ts';
import { isAnswered } from '../scenarios/websocket/frames.ts';

/** A connection with a good turn, and then turns that have to be denied. */
export interface LaterTurns {
  readonly talk: Exchange;
  readonly secret: string;
  /** The owner's own continuation over WebSocket. */
  readonly control: Exchange;
}

/** A continuation that is denied in the first turn of a connection, tried in a later one. */
export function laterTurns(these: {
  readonly name: string;
  readonly subject: Captures<Subject>;
  readonly as: (io: Io) => CallOptions;
  /** A model for the good turn is among it. */
  readonly needs: Needs;
  /** What else has to be denied, before the continuation is tried. */
  readonly first?: (io: Io) => readonly object[];
}): Scenario<LaterTurns> {
  const { name, subject, as, needs, first = () => [] } = these;
  return scenario(
    name,
    {
      needs,
      after: { subject, control: served['continue-websocket'] },
      // Turns that have to be denied ask for a generation, too.
      cost: { requests: 1, generations: 1, refused: these.first === undefined ? 1 : 2, chain: 3 },
    },
    async (io, { subject: { id, secret }, control }) => {
      const { responses } = io;
      const session = await responses.connect(as(io));
      const frames = [{}, ...first(io), { previous_response_id: id }];
      for (const frame of frames) {
        const { ended } = await responses.turn(session, { ...frame });
        if (ended === null) break;
      }
      return { talk: await session.exchange(), secret, control: control.served };
    },
  );
}

/** Judges such a connection. One that is closed behind a denial has no turn after it. */
export function expectLaterDenied({ talk, secret, control }: LaterTurns): void {
  const [good = talk, ...later] = turnsOf(talk);
  if (later.length === 0) throw new Inconclusive('the connection had no second turn', talk);
  for (const [n, turn] of later.entries()) {
    if (n > 0 && !isAnswered(turn)) return;
    expect(turn).toBeDenied({ secret: [secret], control: [good, control] });
  }
}
