import {
  type CallOptions,
  type Captures,
  type Exchange,
  each,
  expect,
  type Io,
  idOf,
  type Needs,
  type Scenario,
  scenario,
  type View,
  view,
} from '../../harness/index.ts';
import { polled } from '../scenarios/running/background-runs.ts';
import { baseUrlOf } from '../scenarios/stored/attempts.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { streamLookedUp } from '../scenarios/stored/stored-streams.ts';
import { storedTurn } from '../scenarios/websocket/conversation.ts';

/** How a stored response was made: not by a plain request in one body. */
export type OtherCreationMode = 'stream' | 'background' | 'websocket' | 'continuation';

/** The ids of stored responses that other checks make, too. */
const made: Readonly<Record<OtherCreationMode, View<string>>> = {
  stream: view({ streamLookedUp }, ({ streamLookedUp: { streamed } }) => idOf(streamed)),
  background: view({ polled }, ({ polled: { id } }) => id),
  websocket: view({ storedTurn }, ({ storedTurn: { turn } }) => idOf(turn)),
  continuation: view({ continued }, ({ continued: { second } }) => idOf(second)),
};

/** What was tried with one of them where it may not be found, and what has to be served before that says anything. */
export interface TriedElsewhere {
  readonly lookup: Exchange;
  readonly continuation: Exchange;
  /** The owner's lookup is among them. */
  readonly controls: readonly Exchange[];
  /** The owner's continuation of another one. */
  readonly continued: Exchange;
  /** Base URL of the region that made it, where it is no answer to be sent there. */
  readonly home: string | undefined;
}

/** Each of them, looked up and continued where it may not be found. */
export function creationModesElsewhere(these: {
  /** Begins the names of the scenarios. */
  readonly name: string;
  /** Who tries, and through which region. */
  readonly as: (io: Io) => CallOptions;
  readonly needs: Needs;
  /** What shows that who tries can do so at all. */
  readonly controls: Captures<readonly Exchange[]>;
  /** Who tries may be sent to the region that made it. */
  readonly maySendHome?: boolean;
}): Readonly<Record<OtherCreationMode, Scenario<TriedElsewhere>>> {
  const { name, as, needs, controls, maySendHome = false } = these;
  return each(['stream', 'background', 'websocket', 'continuation'], (kind) =>
    scenario(
      `${name}/${kind}`,
      {
        needs,
        after: { id: made[kind], controls, control: continued },
        cost: { requests: 3, generations: 0, refused: 1 },
      },
      async (io, { id, controls: able, control }) => {
        const [lookup, continuation] = await Promise.all([
          io.responses.lookup(id, as(io)),
          io.lane('continued').responses.create({ previous_response_id: id }, as(io)),
        ]);
        const owners = await io.lane('owner').responses.lookup(id);
        return {
          ...{ lookup, continuation, controls: [owners, ...able], continued: control.served },
          home: maySendHome ? baseUrlOf({}, io.target) : undefined,
        };
      },
    ),
  );
}

/** Judges both. */
export function expectNotFound({
  lookup,
  continuation,
  controls,
  continued,
  home,
}: TriedElsewhere): void {
  expect(lookup).toBeDenied({ secret: [], control: controls, home });
  expect(continuation).toBeDenied({ secret: [], control: [...controls, continued], home });
}
