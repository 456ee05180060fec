import { at, isObject, listAt, textAt } from '../../core/index.ts';
import { catalogCall } from '../model-lists.ts';
import type { NativeBody, StreamingModule } from '../module.ts';
import { googleClient } from '../usual-client.ts';
import { asking } from './asking.ts';
import {
  generateCall,
  generateStreamCall,
  generativeClient,
  generativeCount,
  generativeCountCall,
  generativeGeneration,
  input,
  outputLimit,
  userTurn,
} from './client.ts';
import { endings, generativeContent } from './content.ts';
import { judgeGenerative, rules } from './grammar.ts';
import { tools } from './tools.ts';
import { candidates, view } from './view.ts';

const content: NativeBody = {
  has: (body) => Array.isArray(body.candidates) || isObject(body.promptFeedback),
};

/** Protobuf JSON may omit a zero, but a counted input is never empty. */
const count: NativeBody = { has: (body) => 'totalTokens' in body };

const catalog: NativeBody = { has: (body) => Array.isArray(body.models) };

export const generative = {
  credential: 'vendorB-api-key',
  usualPublisher: 'goog',
  endpoints: {
    'generate-content': {
      supports: [],
      namesModel: 'path',
      call: (baseline) => generateCall(baseline, generativeGeneration(baseline)),
    },
    'stream-generate-content': {
      supports: ['stream:generative'],
      streams: true,
      namesModel: 'path',
      call: (baseline) => generateStreamCall(baseline, generativeGeneration(baseline)),
    },
    'count-tokens': {
      supports: ['vendorB-count'],
      namesModel: 'path',
      call: (baseline) => generativeCountCall(baseline, generativeCount(baseline)),
    },
    'alternate-path': {
      supports: [],
      namesModel: 'path',
      call: (baseline) =>
        generateCall({ ...baseline, alternatePath: true }, generativeGeneration(baseline)),
    },
    catalog: { supports: null, call: () => catalogCall() },
  },
  mainEndpoint: 'generate-content',
  streamEndpoint: 'stream-generate-content',
  usualClient: googleClient,
  operations: {
    'generative.generate': { answer: content, generates: true },
    'generative.stream': { answer: content, generates: true },
    'generative.count-tokens': { answer: count },
    'models.catalog': { answer: catalog },
  },
  errorSchema: 'generative/error',
  client: generativeClient,
  request: {
    input,
    wrongInputs: [],
    optionalMembers: {},
    untypedMembers: [],
    text: input,
    textValue: userTurn,
    outputLimit,
    conversation: (turns, told) => ({
      ...(told === undefined ? {} : { systemInstruction: { parts: [{ text: told }] } }),
      contents: turns.map(({ by, texts }) => ({
        role: by,
        parts: texts.map((text) => ({ text })),
      })),
    }),
    countBody: (said, model) => ({
      // Only `contents` is read.
      generateContentRequest: { model: `models/${model}`, ...said },
    }),
    toldBefore: (told) => ({ systemInstruction: { parts: [{ text: told }] } }),
    // Omits the implied role.
    toldOtherwise: (told, texts) => ({
      systemInstruction: { parts: told.map((text) => ({ text })) },
      contents: [{ parts: texts.map((text) => ({ text })) }],
    }),
    generation: generativeGeneration,
    call: (body, model) => generateCall({ model }, body),
    streamCall: (body, model) => generateStreamCall({ model }, body),
  },
  content: generativeContent,
  usage: {
    member: 'usageMetadata',
    input: 'promptTokenCount',
    inputBeside: [],
    output: 'candidatesTokenCount',
    // Thoughts are counted, but never sent.
    outputBeside: ['thoughtsTokenCount'],
    total: {
      member: 'totalTokenCount',
      // Protobuf JSON omits a zero. A prompt is never empty.
      parts: [
        { member: 'promptTokenCount', optional: false },
        { member: 'candidatesTokenCount', optional: true },
        { member: 'toolUsePromptTokenCount', optional: true },
        { member: 'thoughtsTokenCount', optional: true },
      ],
    },
    within: [{ part: 'cachedContentTokenCount', whole: 'promptTokenCount' }],
    counted: 'totalTokens',
  },
  endings,
  tools,
  asking,
  view,
  candidates,
  stream: {
    rules,
    softRules: [],
    shapeRule: 'chunk-shape',
    judge: (stream, { text }) => judgeGenerative(stream, text === undefined ? {} : { text }),
    isEnd: ({ json }) =>
      listAt(json, 'candidates').some((one) => at(one, 'finishReason')) ||
      isObject(at(json, 'promptFeedback')),
    textOf: (event) => textAt(event, 'candidates[0].content.parts[0].text'),
    askingForUsage: {},
    overload: () =>
      'data: {"error":{"code":503,"message":"Ask again later.","status":"UNAVAILABLE"}}\n\n',
  },
} as const satisfies StreamingModule<'generative'> & { readonly client: typeof generativeClient };
