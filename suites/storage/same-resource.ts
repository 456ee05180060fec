import { type Exchange, idOf, type Scenario, scenario } from '../../harness/index.ts';
import { lastOf } from '../scenarios/background-runs.ts';
import { baseline, readable } from '../scenarios/baselines.ts';
import { resumed } from '../scenarios/broken-streams.ts';
import { continued } from '../scenarios/served-operations.ts';
import { streamLookedUp } from '../scenarios/stored-streams.ts';
import { storedTurn } from '../scenarios/websocket-conversation.ts';

/** How a response came to be that is looked up. */
export type Made = 'one-body' | 'stream' | 'background' | 'websocket' | 'continuation';

/** A response, as its creation told it in the end, and as it is looked up. */
export interface ToldAndLookedUp {
  readonly told: Exchange;
  readonly lookup: Exchange;
}

const nothing = { requests: 0, generations: 0 };

/** Responses that other checks have made, and mostly looked up, anyway. */
export const toldAndLookedUp: Readonly<Record<Made, Scenario<ToldAndLookedUp>>> = {
  'one-body': scenario(
    'responses/told-and-looked-up/one-body',
    { after: { it: readable, one: baseline.lookup }, cost: nothing },
    async (_, { it, one }) => ({ told: it.created, lookup: one.baseline }),
  ),
  stream: scenario(
    'responses/told-and-looked-up/stream',
    { after: { it: streamLookedUp }, cost: nothing },
    async (_, { it }) => ({ told: it.streamed, lookup: it.lookup }),
  ),
  background: scenario(
    'responses/told-and-looked-up/background',
    { after: { it: resumed }, cost: nothing },
    async (_, { it }) => ({ told: it.rest, lookup: lastOf(it.lookups) }),
  ),
  websocket: scenario(
    'responses/told-and-looked-up/websocket',
    { after: { it: storedTurn }, cost: nothing },
    async (_, { it }) => ({ told: it.turn, lookup: it.lookup }),
  ),
  continuation: scenario(
    'responses/told-and-looked-up/continuation',
    { after: { it: continued }, cost: { requests: 1, generations: 0 } },
    async ({ responses }, { it: { second } }) => ({
      told: second,
      lookup: await responses.lookup(idOf(second)),
    }),
  ),
};
