import {
  type CallOptions,
  type Exchange,
  each,
  expect,
  type Io,
  idOf,
  type Needs,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { polled } from '../scenarios/running/background-runs.ts';
import { baseUrlOf } from '../scenarios/stored/attempts.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { streamLookedUp } from '../scenarios/stored/stored-streams.ts';
import { storedTurn } from '../scenarios/websocket/conversation.ts';

/** How a stored response came to be that no plain request has made. */
export type OtherCreationMode = 'stream' | 'background' | 'websocket' | 'continuation';

const nothing = { requests: 0, generations: 0 };

/** Stored responses that other checks have made anyway, by their ids. */
const made: Readonly<Record<OtherCreationMode, Scenario<{ readonly id: string }>>> = {
  stream: scenario(
    'rules/otherwise-made/stream',
    { after: { it: streamLookedUp }, cost: nothing },
    async (_, { it }) => ({ id: idOf(it.streamed) }),
  ),
  background: scenario(
    'rules/otherwise-made/background',
    { after: { it: polled }, cost: nothing },
    async (_, { it }) => ({ id: it.id }),
  ),
  websocket: scenario(
    'rules/otherwise-made/websocket',
    { after: { it: storedTurn }, cost: nothing },
    async (_, { it }) => ({ id: idOf(it.turn) }),
  ),
  continuation: scenario(
    'rules/otherwise-made/continuation',
    { after: { it: continued }, cost: nothing },
    async (_, { it }) => ({ id: idOf(it.second) }),
  ),
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
  readonly controls: Scenario<readonly Exchange[]>;
  /** Who tries may be sent to the region that made it. */
  readonly maySendHome?: boolean;
}): Readonly<Record<OtherCreationMode, Scenario<TriedElsewhere>>> {
  const { name, as, needs, controls, maySendHome = false } = these;
  return each(['stream', 'background', 'websocket', 'continuation'], (kind) =>
    scenario(
      `${name}/${kind}`,
      {
        needs,
        after: { it: made[kind], controls, control: continued },
        cost: { requests: 3, generations: 0 },
      },
      async (io, { it: { id }, controls: able, control }) => {
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
