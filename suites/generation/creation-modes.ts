import {
  type Captures,
  isRefused,
  NothingToJudge,
  type StreamingProtocol,
  view,
} from '../../harness/index.ts';
import {
  type Truncated,
  type TruncatedConversation,
  truncatedInSnakeCase,
  truncatedStream,
} from '../scenarios/generations/truncated.ts';
import { alternatePath } from '../scenarios/requests/alternate-paths.ts';
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
  | 'continuation'
  | 'alternate-path'
  | 'alternate-path-stream'
  | 'snake-case';

/** Those that say all that can be said in a request, besides its last turn. */
export type WholeMode = Exclude<CreationMode, 'websocket' | 'background' | 'continuation'>;

/** The protocol that each is asked for over. */
export const protocolOf = {
  'responses-stream': 'responses',
  'chat-completions-stream': 'chat-completions',
  'messages-stream': 'messages',
  'generative-stream': 'generative',
  websocket: 'responses',
  background: 'responses',
  continuation: 'responses',
  'alternate-path': 'generative',
  'alternate-path-stream': 'generative',
  'snake-case': 'generative',
} as const satisfies Record<CreationMode, StreamingProtocol>;

/** Answers to whole conversations that their limit truncated. */
export const wholeByMode: Readonly<Record<WholeMode, Captures<TruncatedConversation>>> = {
  'responses-stream': truncatedStream.responses,
  'chat-completions-stream': truncatedStream['chat-completions'],
  'messages-stream': truncatedStream.messages,
  'generative-stream': truncatedStream.generative,
  'alternate-path': alternatePath['generate-content'],
  'alternate-path-stream': alternatePath['stream-generate-content'],
  'snake-case': view({ truncatedInSnakeCase }, ({ truncatedInSnakeCase: truncated }) => {
    if (isRefused(truncated.answer)) throw new NothingToJudge('names in snake case are refused');
    return truncated;
  }),
};

/** These and others that their limit truncated; other checks need those that are not streamed, too. */
export const truncatedByMode: Readonly<Record<CreationMode, Captures<Truncated>>> = {
  ...wholeByMode,
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
