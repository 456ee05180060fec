import { isObject, listAt, textAt } from '../../core/index.ts';
import type { NativeBody, StreamingModule } from '../module.ts';
import { openaiClient } from '../usual-client.ts';
import { asking } from './asking.ts';
import {
  cancelCall,
  compactCall,
  connectCall,
  createCall,
  deleteCall,
  input,
  inputItemsCall,
  inputTokensCall,
  lookupCall,
  outputLimit,
  responsesClient,
  responsesCount,
  responsesFrame,
  responsesGeneration,
  streamCall,
} from './client.ts';
import { endings, responsesContent, textOfEvent } from './content.ts';
import { endsResponse } from './events.ts';
import { judgeResponses } from './grammar.ts';
import { rules, softRules } from './rules.ts';
import { tools } from './tools.ts';
import { view } from './view.ts';

const response: NativeBody = {
  has: (body) => body.object === 'response' || Array.isArray(body.output),
  isResponse: true,
};

const inputItems: NativeBody = { has: (body) => Array.isArray(body.data) };

/** The answer to a delete is documented by example only. */
const deletion: NativeBody = { has: () => true, isUnspecified: true, isDeletion: true };

/** A generated response has an output, too. */
const compaction: NativeBody = {
  has: (body) =>
    body.object === 'response.compaction' ||
    listAt(body, 'output').some((item) => isObject(item) && item.type === 'compaction'),
};

const inputTokens: NativeBody = { has: (body) => 'input_tokens' in body };

/** The Responses protocol, over HTTP and over WebSocket. */
export const responses = {
  credential: 'bearer',
  endpoints: {
    responses: {
      supports: [],
      namesModel: 'body',
      call: (baseline) => createCall(responsesGeneration(baseline)),
    },
    lookup: { supports: [], actsOn: 'foreground', call: ({ id }) => lookupCall(id) },
    'input-items': { supports: [], actsOn: 'foreground', call: ({ id }) => inputItemsCall(id) },
    cancel: { supports: ['background'], actsOn: 'background', call: ({ id }) => cancelCall(id) },
    delete: { supports: [], actsOn: 'foreground', call: ({ id }) => deleteCall(id) },
    compact: {
      supports: ['compact'],
      namesModel: 'body',
      call: (baseline) => compactCall(responsesCount(baseline)),
    },
    'input-tokens': {
      supports: ['input_tokens'],
      namesModel: 'body',
      call: (baseline) => inputTokensCall(responsesCount(baseline)),
    },
    websocket: {
      supports: ['websocket'],
      namesModel: 'body',
      call: () => connectCall(),
      frame: (baseline) => responsesFrame(baseline),
    },
  },
  mainEndpoint: 'responses',
  streamEndpoint: 'responses',
  usualClient: openaiClient,
  operations: {
    'responses.create': { answer: response, generates: true },
    'responses.stream': { answer: response, generates: true },
    'responses.compact': { answer: compaction, generates: true },
    'responses.input-tokens': { answer: inputTokens },
    'responses.lookup': { answer: response },
    'responses.recover': { answer: response },
    'responses.input-items': { answer: inputItems },
    'responses.cancel': { answer: response },
    'responses.delete': { answer: deletion },
    'responses.connect': { answer: response },
  },
  errorSchema: 'responses/error',
  client: responsesClient,
  request: {
    input,
    wrongInputs: [{}],
    optionalMembers: { stream: false, background: false, previous_response_id: '' },
    untypedMembers: [],
    text: input,
    textValue: (text) => text,
    outputLimit,
    conversation: (turns, told) => ({
      ...(told === undefined ? {} : { instructions: told }),
      input: turns.map(({ by, texts }) => ({
        role: by === 'user' ? 'user' : 'assistant',
        content:
          texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'input_text', text })),
      })),
    }),
    countBody: (said) => said,
    toldBefore: (told) => ({ instructions: told }),
    toldOtherwise: (told, texts) => ({
      input: [
        { role: 'developer', content: told.map((text) => ({ type: 'input_text', text })) },
        { role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) },
      ],
    }),
    generation: responsesGeneration,
    call: createCall,
    streamCall,
  },
  content: responsesContent,
  usage: {
    member: 'usage',
    input: 'input_tokens',
    inputBeside: [],
    output: 'output_tokens',
    outputBeside: [],
    total: {
      member: 'total_tokens',
      parts: [
        { member: 'input_tokens', optional: false },
        { member: 'output_tokens', optional: false },
      ],
    },
    within: [
      { part: 'input_tokens_details.cached_tokens', whole: 'input_tokens' },
      { part: 'output_tokens_details.reasoning_tokens', whole: 'output_tokens' },
    ],
    counted: 'input_tokens',
  },
  endings,
  tools,
  asking,
  view,
  candidates: [],
  stream: {
    rules,
    softRules,
    shapeRule: 'known-event-shapes',
    judge: (stream, options) => judgeResponses(stream, options),
    isEnd: ({ json }) => endsResponse(textAt(json, 'type')),
    textOf: textOfEvent,
    askingForUsage: {},
    overload: (number) => `event: error\ndata: ${overloadFrame(number)}\n\n`,
  },
} as const satisfies StreamingModule<'responses'> & { readonly client: typeof responsesClient };

/** The frame of an overload error that ends a turn. @param number number of preceding events */
export function overloadFrame(number: number): string {
  const error = { code: 'server_overloaded', message: 'Ask again later.', param: null };
  return JSON.stringify({ type: 'error', ...error, sequence_number: number });
}
