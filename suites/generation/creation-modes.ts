import { each, type Scenario, type StreamingProtocol, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { type Cut, truncatedStream } from '../scenarios/generations/truncated.ts';
import { lastOf } from '../scenarios/running/background-runs.ts';
import { resumed } from '../scenarios/running/broken-streams.ts';
import { longLimit } from '../scenarios/running/long-runs.ts';
import { chain } from '../scenarios/stored/chain.ts';
import { conversation, turnOf } from '../scenarios/websocket/conversation.ts';

/** How an answer can be asked for, other than as one body that goes on from nothing. */
export type CreationMode =
  | 'responses-stream'
  | 'chat-completions-stream'
  | 'messages-stream'
  | 'generative-stream'
  | 'websocket'
  | 'background'
  | 'continuation';

/** The protocol that each is asked for over. */
export const protocolOf = {
  'responses-stream': 'responses',
  'chat-completions-stream': 'chat-completions',
  'messages-stream': 'messages',
  'generative-stream': 'generative',
  websocket: 'responses',
  background: 'responses',
  continuation: 'responses',
} as const satisfies Record<CreationMode, StreamingProtocol>;

const nothing = { requests: 0, generations: 0 };

/** Answers that were cut short by their limit; those that are not streamed, other checks need anyway. */
export const truncatedByMode: Readonly<Record<CreationMode, Scenario<Cut>>> = {
  'responses-stream': truncatedStream.responses,
  'chat-completions-stream': truncatedStream['chat-completions'],
  'messages-stream': truncatedStream.messages,
  'generative-stream': truncatedStream.generative,
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
          it: truncatedByMode[asked],
          one: asked === 'background' ? baseline.lookup : baseline.responses,
        },
        cost: nothing,
      },
      async (_, { it: { cut }, one }) => ({ cut, oneBody: one.baseline }),
    ),
);
