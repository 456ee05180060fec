import { type Captures, type StreamingProtocol, view } from '../../harness/index.ts';
import { type Truncated, truncatedStream } from '../scenarios/generations/truncated.ts';
import { lastOf } from '../scenarios/running/background-runs.ts';
import { resumed } from '../scenarios/running/interrupted-streams.ts';
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

/** Answers that their limit truncated; other checks need those that are not streamed, too. */
export const truncatedByMode: Readonly<Record<CreationMode, Captures<Truncated>>> = {
  'responses-stream': truncatedStream.responses,
  'chat-completions-stream': truncatedStream['chat-completions'],
  'messages-stream': truncatedStream.messages,
  'generative-stream': truncatedStream.generative,
  websocket: view({ conversation }, ({ conversation: { talk, limit } }) => ({
    answer: turnOf(talk, 0),
    limit,
  })),
  background: view({ resumed }, ({ resumed: { lookups, limit } }) => ({
    answer: lastOf(lookups),
    limit,
  })),
  continuation: view({ chain }, ({ chain: { last, limit } }) => ({ answer: last, limit })),
};
