import {
  type Captures,
  isRefused,
  NothingToJudge,
  type StreamingProtocol,
  view,
} from '../../harness/index.ts';
import type { Truncated, TruncatedConversation } from '../scenarios/generations/conversations.ts';
import { truncatedInSnakeCase, truncatedStream } from '../scenarios/generations/limits.ts';
import { type Told, toldOverResponses } from '../scenarios/generations/whole-responses.ts';
import { alternatePath } from '../scenarios/requests/alternate-paths.ts';
import { resumed } from '../scenarios/running/interrupted-streams.ts';
import { chain } from '../scenarios/stored/chain.ts';
import { lastOf } from '../scenarios/stored/stored-responses.ts';
import { conversation, turnOf } from '../scenarios/websocket/conversation.ts';

/** Ways to request an answer, other than in one JSON body without a previous response. */
export type AnswerMode =
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

/** Modes whose truncated answers also answer whole conversations. */
type TruncatedWhole = Exclude<AnswerMode, keyof typeof toldOverResponses>;

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
} as const satisfies Record<AnswerMode, StreamingProtocol>;

const truncatedWhole: Readonly<Record<TruncatedWhole, Captures<TruncatedConversation>>> = {
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

/** Answers to requests with every part of a conversation, besides the last turn. */
export const wholeByMode: Readonly<Record<AnswerMode, Captures<Told>>> = {
  ...truncatedWhole,
  ...toldOverResponses,
};

/** Answers that their limit truncated. Other checks also need those that are not streamed. */
export const truncatedByMode: Readonly<Record<AnswerMode, Captures<Truncated>>> = {
  ...truncatedWhole,
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
