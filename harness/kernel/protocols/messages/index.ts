import { at, textAt } from '../../core/index.ts';
import type { NativeBody, StreamingModule } from '../module.ts';
import { anthropicClient } from '../usual-client.ts';
import { asking } from './asking.ts';
import {
  input,
  messagesCall,
  messagesClient,
  messagesCount,
  messagesCountCall,
  messagesGeneration,
  messagesStreamCall,
  outputLimit,
  userTurn,
} from './client.ts';
import { endings, messagesContent } from './content.ts';
import { judgeMessages, rules } from './grammar.ts';
import { tools } from './tools.ts';
import { view } from './view.ts';

const message: NativeBody = {
  has: (body) =>
    (body.type === 'message' && body.role === 'assistant') || Array.isArray(body.content),
};

const count: NativeBody = { has: (body) => 'input_tokens' in body };

export const messages = {
  credential: 'x-api-key',
  usualPublisher: 'anthropic',
  isVersioned: true,
  endpoints: {
    messages: {
      supports: [],
      namesModel: 'body',
      call: (baseline) => messagesCall(messagesGeneration(baseline)),
    },
    'messages-count-tokens': {
      supports: ['count_tokens'],
      namesModel: 'body',
      call: (baseline) => messagesCountCall(messagesCount(baseline)),
    },
  },
  mainEndpoint: 'messages',
  streamEndpoint: 'messages',
  usualClient: anthropicClient,
  operations: {
    'messages.create': { answer: message, generates: true },
    'messages.stream': { answer: message, generates: true },
    'messages.count-tokens': { answer: count },
  },
  errorSchema: 'messages/error',
  client: messagesClient,
  request: {
    input,
    wrongInputs: [{}],
    optionalMembers: { stream: false },
    untypedMembers: [],
    text: input,
    textValue: userTurn,
    outputLimit,
    conversation: (turns, told) => ({
      ...(told === undefined ? {} : { system: told }),
      messages: turns.map(({ by, texts }) => ({
        role: by === 'user' ? 'user' : 'assistant',
        content: texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text })),
      })),
    }),
    countBody: (said) => said,
    toldBefore: (told) => ({ system: told }),
    toldOtherwise: (told, texts) => ({
      system: told.map((text) => ({ type: 'text', text })),
      messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
    }),
    generation: messagesGeneration,
    call: messagesCall,
    streamCall: messagesStreamCall,
  },
  content: messagesContent,
  usage: {
    member: 'usage',
    input: 'input_tokens',
    // Tokens read from the prompt cache, and tokens written to it.
    inputBeside: ['cache_read_input_tokens', 'cache_creation_input_tokens'],
    output: 'output_tokens',
    outputBeside: [],
    total: null,
    within: [],
    counted: 'input_tokens',
  },
  endings,
  tools,
  asking,
  view,
  candidates: [],
  stream: {
    rules,
    softRules: [],
    shapeRule: 'known-event-shapes',
    judge: (stream, { text }) => judgeMessages(stream, text === undefined ? {} : { text }),
    isEnd: ({ json }) =>
      at(json, 'type') === 'message_stop' || textAt(json, 'delta.stop_reason') !== null,
    textOf: (event) => textAt(event, 'delta.text'),
    askingForUsage: {},
    overload: () =>
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  },
} as const satisfies StreamingModule<'messages'> & { readonly client: typeof messagesClient };
