import { at, listAt, textAt } from '../../core/index.ts';
import { isDone } from '../grammar.ts';
import type { NativeBody, StreamingModule } from '../module.ts';
import { openaiClient } from '../usual-client.ts';
import { asking } from './asking.ts';
import {
  chatCall,
  chatCompletionsClient,
  chatGeneration,
  chatStreamCall,
  input,
  outputLimit,
  userTurn,
} from './client.ts';
import { chatContent, endings } from './content.ts';
import { judgeChatCompletions, rules } from './grammar.ts';
import { tools } from './tools.ts';
import { view } from './view.ts';

const completion: NativeBody = {
  has: (body) => body.object === 'chat.completion' || Array.isArray(body.choices),
};

export const chatCompletions = {
  credential: { configured: 'chat' },
  endpoints: {
    'chat-completions': {
      supports: [],
      namesModel: 'body',
      call: (baseline) => chatCall(chatGeneration(baseline)),
    },
  },
  mainEndpoint: 'chat-completions',
  streamEndpoint: 'chat-completions',
  usualClient: openaiClient,
  operations: {
    'chat-completions.create': { answer: completion, generates: true },
    'chat-completions.stream': { answer: completion, generates: true },
  },
  errorSchema: 'chat-completions/error',
  client: chatCompletionsClient,
  request: {
    input,
    wrongInputs: [{}],
    optionalMembers: { stream: false },
    untypedMembers: [],
    text: input,
    textValue: userTurn,
    outputLimit,
    conversation: (turns, told) => ({
      messages: [
        ...(told === undefined ? [] : [{ role: 'system', content: told }]),
        ...turns.map(({ by, texts }) => ({
          role: by === 'user' ? 'user' : 'assistant',
          content: texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text })),
        })),
      ],
    }),
    countBody: null,
    toldBefore: (told, text) => ({
      messages: [
        { role: 'system', content: told },
        { role: 'user', content: text },
      ],
    }),
    toldOtherwise: (told, texts) => ({
      messages: [
        { role: 'developer', content: told.map((text) => ({ type: 'text', text })) },
        { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
      ],
    }),
    generation: chatGeneration,
    call: chatCall,
    streamCall: chatStreamCall,
  },
  content: chatContent,
  usage: {
    member: 'usage',
    input: 'prompt_tokens',
    inputBeside: [],
    output: 'completion_tokens',
    outputBeside: [],
    total: {
      member: 'total_tokens',
      parts: [
        { member: 'prompt_tokens', optional: false },
        { member: 'completion_tokens', optional: false },
      ],
    },
    within: [
      { part: 'prompt_tokens_details.cached_tokens', whole: 'prompt_tokens' },
      { part: 'completion_tokens_details.reasoning_tokens', whole: 'completion_tokens' },
    ],
    counted: null,
  },
  endings,
  tools,
  asking,
  view,
  candidates: ['n'],
  stream: {
    rules,
    softRules: ['call-named-once', 'filter-chunk-shape'],
    shapeRule: 'chunk-shape',
    judge: (stream, { text }, request) =>
      judgeChatCompletions(stream, {
        ...(text === undefined ? {} : { text }),
        includeUsage: at(request, 'stream_options.include_usage') === true,
      }),
    // A stream that ends with `[DONE]` is complete even if its finish reason is missing.
    isEnd: (event) =>
      isDone(event) || listAt(event.json, 'choices').some((one) => at(one, 'finish_reason')),
    textOf: (event) => textAt(event, 'choices[0].delta.content'),
    askingForUsage: { stream_options: { include_usage: true } },
    overload: () => 'data: {"error":{"type":"overloaded_error","message":"Ask again later."}}\n\n',
  },
} as const satisfies StreamingModule<'chat-completions'> & {
  readonly client: typeof chatCompletionsClient;
};
