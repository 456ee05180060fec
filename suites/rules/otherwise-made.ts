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
import { polled } from '../responses/background-runs.ts';
import { streamLookedUp } from '../responses/streamed.ts';
import { storedTurn } from '../responses/websocket-conversation.ts';
import { continued } from '../served-operations.ts';

/** How a stored response came to be that no plain request has made. */
export type OtherwiseMade = 'stream' | 'background' | 'websocket' | 'continuation';

const nothing = { requests: 0, generations: 0 };

/** Stored responses that other checks have made anyway, by their ids. */
const made: Readonly<Record<OtherwiseMade, Scenario<{ readonly id: string }>>> = {
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

export interface LookupElsewhere {
  readonly attempt: Exchange;
  /** What has to be served before a denial says anything: the owner's lookup is among it. */
  readonly controls: readonly Exchange[];
}

/** Each of them, looked up where it may not be found. */
export function lookupsOfOtherwiseMade(these: {
  /** Begins the names of the scenarios. */
  readonly name: string;
  /** Who looks, and through which region. */
  readonly as: (io: Io) => CallOptions;
  readonly needs: Omit<Needs, 'model'>;
  /** What shows that who looks can do so at all. */
  readonly controls: Scenario<readonly Exchange[]>;
}): Readonly<Record<OtherwiseMade, Scenario<LookupElsewhere>>> {
  const { name, as, needs, controls } = these;
  return each(['stream', 'background', 'websocket', 'continuation'], (kind) =>
    scenario(
      `${name}/${kind}`,
      { needs, after: { it: made[kind], controls }, cost: { requests: 2, generations: 0 } },
      async (io, { it: { id }, controls: able }) => {
        const attempt = await io.responses.lookup(id, as(io));
        const owners = await io.lane('owner').responses.lookup(id);
        return { attempt, controls: [owners, ...able] };
      },
    ),
  );
}

/** Judges such a lookup. */
export function expectNotFound({ attempt, controls }: LookupElsewhere): void {
  expect(attempt).toBeDenied({ secret: [], control: controls });
}
