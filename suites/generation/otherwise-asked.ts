import { each, type Scenario, scenario } from '../../harness/index.ts';
import { longLimit } from '../long-runs.ts';
import { ordinary } from '../ordinary.ts';
import { lastOf } from '../responses/background-runs.ts';
import { resumed } from '../responses/broken-streams.ts';
import { chain } from '../responses/chain.ts';
import { conversation, turnOf } from '../responses/websocket-conversation.ts';
import { type Cut, cutShortStream } from './cut-short.ts';

/** How an answer can be asked for, other than as one body that goes on from nothing. */
export type OtherwiseAsked =
  | 'responses-stream'
  | 'chat-completions-stream'
  | 'messages-stream'
  | 'generative-stream'
  | 'websocket'
  | 'background'
  | 'continuation';

const nothing = { requests: 0, generations: 0 };

/** Answers that were cut short by their limit; those that are not streamed, other checks need anyway. */
export const otherwiseCutShort: Readonly<Record<OtherwiseAsked, Scenario<Cut>>> = {
  'responses-stream': cutShortStream.responses,
  'chat-completions-stream': cutShortStream['chat-completions'],
  'messages-stream': cutShortStream.messages,
  'generative-stream': cutShortStream.generative,
  websocket: scenario(
    'generation/cut-short-otherwise/websocket',
    { after: { it: conversation }, cost: nothing },
    async (_, { it: { talk, limit } }) => ({ cut: turnOf(talk, 0), limit }),
  ),
  background: scenario(
    'generation/cut-short-otherwise/background',
    { after: { it: resumed }, cost: nothing },
    async ({ target }, { it: { lookups } }) => ({
      cut: lastOf(lookups),
      limit: longLimit(target),
    }),
  ),
  continuation: scenario(
    'generation/cut-short-otherwise/continuation',
    { after: { it: chain }, cost: nothing },
    async (_, { it: { last, limit } }) => ({ cut: last, limit }),
  ),
};

type ResponseAsked = 'responses-stream' | 'websocket' | 'background' | 'continuation';

/** Such responses beside one that came in one body; a looked-up one beside another that is looked up. */
export const besideOneBody = each(
  ['responses-stream', 'websocket', 'background', 'continuation'],
  (asked: ResponseAsked) =>
    scenario(
      `generation/beside-one-body/${asked}`,
      {
        after: {
          it: otherwiseCutShort[asked],
          one: asked === 'background' ? ordinary.lookup : ordinary.responses,
        },
        cost: nothing,
      },
      async (_, { it: { cut }, one }) => ({ cut, oneBody: one.ordinary }),
    ),
);
