import type { Capability } from '../core/capability.ts';
import type { EndpointName, protocolOfEndpoint } from '../core/endpoint.ts';
import type { Protocol } from '../core/protocol.ts';
import type { Call } from './call.ts';
import { chatCall, chatGeneration } from './chat-completions/client.ts';
import type { Defaults, Fields } from './defaults.ts';
import {
  generateCall,
  generateStreamCall,
  generativeCount,
  generativeCountCall,
  generativeGeneration,
} from './generative/client.ts';
import {
  messagesCall,
  messagesCount,
  messagesCountCall,
  messagesGeneration,
} from './messages/client.ts';
import { catalogCall, listCall } from './model-lists.ts';
import {
  cancelCall,
  compactCall,
  connectCall,
  createCall,
  deleteCall,
  inputItemsCall,
  inputTokensCall,
  lookupCall,
  responsesCount,
  responsesFrame,
  responsesGeneration,
} from './responses/client.ts';
import { systemoneCall } from './systemone/client.ts';

export type { EndpointName };

/** What a baseline request is made of. */
export interface Baseline extends Defaults {
  /** Of a stored response, for the endpoints that act on one. */
  readonly id: string;
  /** Body of a System One request, with its model. */
  readonly systemoneBody: Fields;
}

export interface Endpoint {
  readonly name: EndpointName;
  /** By whose rules it answers; `models` is the list of the `/v1` family. */
  readonly protocol: Protocol | 'models';
  /** What the model of a request has to offer; null when no model plays a part. */
  readonly model: { readonly speaks: Protocol; readonly supports: readonly Capability[] } | null;
  /** Asks a model to generate, and is charged. A WebSocket does with its first frame. */
  readonly generates: boolean;
  /** Answers a baseline request with an event stream. */
  readonly streams: boolean;
  /** Where a request names its model. */
  readonly namesModel: 'body' | 'path' | 'none';
  /** The stored response that it acts on; a cancel takes one that runs in the background. */
  readonly actsOn: 'none' | 'foreground' | 'background';
  /** A baseline, good request. */
  call(baseline: Baseline): Call;
  /** The frame that asks for a generation once a WebSocket is open; null elsewhere. */
  readonly frame: ((baseline: Baseline) => Fields) | null;
}

const plain = {
  generates: false,
  streams: false,
  namesModel: 'none',
  actsOn: 'none',
  frame: null,
} as const;

function speaks(protocol: Protocol, ...supports: Capability[]): Endpoint['model'] {
  return { speaks: protocol, supports };
}

/** The endpoints by name, in the order of the specification's tables. */
export const endpoints: {
  readonly [Name in EndpointName]: Endpoint & {
    readonly protocol: (typeof protocolOfEndpoint)[Name];
  };
} = {
  responses: {
    ...plain,
    name: 'responses',
    protocol: 'responses',
    model: speaks('responses'),
    generates: true,
    namesModel: 'body',
    call: (baseline) => createCall(responsesGeneration(baseline)),
  },
  'chat-completions': {
    ...plain,
    name: 'chat-completions',
    protocol: 'chat-completions',
    model: speaks('chat-completions'),
    generates: true,
    namesModel: 'body',
    call: (baseline) => chatCall(chatGeneration(baseline)),
  },
  messages: {
    ...plain,
    name: 'messages',
    protocol: 'messages',
    model: speaks('messages'),
    generates: true,
    namesModel: 'body',
    call: (baseline) => messagesCall(messagesGeneration(baseline)),
  },
  'messages-count-tokens': {
    ...plain,
    name: 'messages-count-tokens',
    protocol: 'messages',
    model: speaks('messages', 'count_tokens'),
    namesModel: 'body',
    call: (baseline) => messagesCountCall(messagesCount(baseline)),
  },
  'generate-content': {
    ...plain,
    name: 'generate-content',
    protocol: 'generative',
    model: speaks('generative'),
    generates: true,
    namesModel: 'path',
    call: (baseline) => generateCall(baseline, generativeGeneration(baseline)),
  },
  'stream-generate-content': {
    ...plain,
    name: 'stream-generate-content',
    protocol: 'generative',
    model: speaks('generative', 'stream:generative'),
    generates: true,
    streams: true,
    namesModel: 'path',
    call: (baseline) => generateStreamCall(baseline, generativeGeneration(baseline)),
  },
  'count-tokens': {
    ...plain,
    name: 'count-tokens',
    protocol: 'generative',
    model: speaks('generative', 'vendorB-count'),
    namesModel: 'path',
    call: (baseline) => generativeCountCall(baseline, generativeCount(baseline)),
  },
  'alternate-path': {
    ...plain,
    name: 'alternate-path',
    protocol: 'generative',
    model: speaks('generative'),
    generates: true,
    namesModel: 'path',
    call: (baseline) =>
      generateCall({ ...baseline, alternatePath: true }, generativeGeneration(baseline)),
  },
  systemone: {
    ...plain,
    name: 'systemone',
    protocol: 'systemone',
    model: speaks('systemone'),
    generates: true,
    namesModel: 'body',
    call: ({ model, systemoneBody }) => systemoneCall({ ...systemoneBody, model }),
  },
  models: { ...plain, name: 'models', protocol: 'models', model: null, call: () => listCall() },
  catalog: {
    ...plain,
    name: 'catalog',
    protocol: 'generative',
    model: null,
    call: () => catalogCall(),
  },
  lookup: {
    ...plain,
    name: 'lookup',
    protocol: 'responses',
    model: speaks('responses'),
    actsOn: 'foreground',
    call: ({ id }) => lookupCall(id),
  },
  'input-items': {
    ...plain,
    name: 'input-items',
    protocol: 'responses',
    model: speaks('responses'),
    actsOn: 'foreground',
    call: ({ id }) => inputItemsCall(id),
  },
  cancel: {
    ...plain,
    name: 'cancel',
    protocol: 'responses',
    model: speaks('responses', 'background'),
    actsOn: 'background',
    call: ({ id }) => cancelCall(id),
  },
  delete: {
    ...plain,
    name: 'delete',
    protocol: 'responses',
    model: speaks('responses'),
    actsOn: 'foreground',
    call: ({ id }) => deleteCall(id),
  },
  compact: {
    ...plain,
    name: 'compact',
    protocol: 'responses',
    model: speaks('responses', 'compact'),
    generates: true,
    namesModel: 'body',
    call: (baseline) => compactCall(responsesCount(baseline)),
  },
  'input-tokens': {
    ...plain,
    name: 'input-tokens',
    protocol: 'responses',
    model: speaks('responses', 'input_tokens'),
    namesModel: 'body',
    call: (baseline) => inputTokensCall(responsesCount(baseline)),
  },
  websocket: {
    ...plain,
    name: 'websocket',
    protocol: 'responses',
    model: speaks('responses', 'websocket'),
    generates: true,
    namesModel: 'body',
    call: () => connectCall(),
    frame: (baseline) => responsesFrame(baseline),
  },
};

/** Their names, in the order of the specification's tables. */
export const endpointNames = Object.keys(endpoints) as readonly EndpointName[];
