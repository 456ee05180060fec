import {
  type BodyKind,
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type StreamEvent,
} from '../../../reference/index.ts';
import { decide } from '../../decisions.ts';
import { changed, memberAt, retelling } from '../../editing.ts';
import { bodies, eachData, eachEvent, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Faults in calls of every form, and in their results.

const protocols = ['responses', 'chat-completions', 'messages', 'generative'] as const;
type Calling = (typeof protocols)[number];

interface Form {
  readonly name: Calling | `${Calling}-stream`;
  /** Rewrites the answer: a whole body, or the data of each event. */
  readonly answers: (change: (data: JsonObject) => JsonObject) => Defect['override'];
}

const kinds: Readonly<Record<Calling, BodyKind>> = {
  responses: 'responses.response',
  'chat-completions': 'chat-completions.completion',
  messages: 'messages.message',
  generative: 'generative.response',
};

const forms: readonly Form[] = protocols.flatMap((protocol): Form[] => [
  { name: protocol, answers: (change) => bodies(kinds[protocol], change) },
  { name: `${protocol}-stream`, answers: (change) => eachData(protocol, change) },
]);

const formFaults: readonly Fault[] = each(forms, ({ answers }) => ({
  'tools.other-function-{name}': answers(
    retelling((text) => (text === 'get_weather' ? 'look_up_weather' : text)),
  ),
  'tools.argument-renamed-{name}': answers(
    retelling((text) => (text === 'city' ? 'town' : text.replaceAll('"city"', '"town"'))),
  ),
}));

/**
 * Changes every text of a stream, and every later repetition of it.
 *
 * @param changes creates the change for each stream
 */
function retoldEvents(
  protocol: Calling,
  changes: () => (text: string) => string,
): Defect['override'] {
  return eachEvent(protocol, () => {
    const change = changes();
    return ({ name, data }: StreamEvent) => {
      if (typeof data === 'string') return { name, data };
      return { name, data: retelling(change)(data) };
    };
  });
}

const functionArgs = 'candidates.0.content.parts.0.functionCall.args';

/** Gives every call the id of the first. An id without a prefix gets a suffix for further calls. */
function firstId(): (text: string) => string {
  let first: string | undefined;
  return (text) => {
    if (!/^(call|toolu)_[0-9a-f]{32}/.test(text))
      return text.replace(/^([0-9a-f]{32})(?:[_-]\d+)+$/, '$1');
    first ??= text;
    return first;
  };
}

/** For each protocol, the path of the content in a body, and a call in the form of another protocol. */
const foreign: Readonly<Record<Calling, readonly [path: string, call: Json]>> = {
  responses: ['output', [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }]],
  'chat-completions': [
    'choices.0.message',
    { role: 'assistant', content: null, functionCall: { name: 'get_weather', args: {} } },
  ],
  messages: [
    'content',
    [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
  ],
  generative: [
    'candidates.0.content.parts',
    [{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' }],
  ],
};

const operations: Readonly<Record<Calling, Operation>> = {
  responses: 'responses.create',
  'chat-completions': 'chat-completions.create',
  messages: 'messages.create',
  generative: 'generative.generate',
};

/** Returns the request without the content of call results. */
function withoutResults(value: Json): Json {
  if (isArray(value)) return value.map(withoutResults);
  if (!isObject(value)) return value;
  if (value.type === 'function_call_output') return { ...value, output: '' };
  if (value.type === 'tool_result' || value.role === 'tool') return { ...value, content: '' };
  if (isObject(value.functionResponse)) {
    return { functionResponse: { ...value.functionResponse, response: {} } };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === undefined ? member : withoutResults(member),
    ]),
  );
}

function unread(operation: Operation, fits: (body: JsonObject) => boolean): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    if (call.body.tools === undefined || !fits(call.body)) return handle(call, key);
    const body = withoutResults(call.body);
    return handle(isObject(body) ? { ...call, body } : call, key);
  });
}

const protocolFaults: readonly Fault[] = each(protocols, (protocol) => {
  const [path, call] = foreign[protocol];
  return {
    'tools.{}-foreign-form': bodies(kinds[protocol], (body, { call: asked }) =>
      JSON.stringify(body).includes('get_weather') && asked.body.tools !== undefined
        ? changed(body, path, () => call)
        : body,
    ),
    'tools.{}-streamed-list': eachData(protocol, (data, _index, { call: asked }) => {
      if (asked.body.tools === undefined) return data;
      return protocol === 'generative'
        ? changed(data, functionArgs, (args) => (args === undefined ? args : [args]))
        : retelling((text) => (text.startsWith('{') ? `[${text}` : text))(data);
    }),
    'tools.{}-piece-lost': retoldEvents(protocol, () => (text) => text.replaceAll(' forecast', '')),
    'tools.{}-piece-twice': retoldEvents(
      protocol,
      () => (text) => text.replaceAll(' forecast', ' forecast forecast'),
    ),
    'tools.{}-one-id': retoldEvents(protocol, firstId),
    'tools.{}-result-unread': unread(
      operations[protocol],
      ({ previous_response_id: previous }) => previous === undefined,
    ),
  };
});

export const toolCallFaults: readonly Fault[] = [
  ...formFaults,
  ...protocolFaults,
  ...planted({
    'tools.chat-one-index': eachData('chat-completions', (data) =>
      memberAt(data, 'choices.0.delta.tool_calls.0.index') === undefined
        ? data
        : changed(data, 'choices.0.delta.tool_calls.0.index', () => 0),
    ),
    'tools.responses-order-reversed': eachData('responses', (data) =>
      data.type === 'response.completed'
        ? changed(data, 'response.output', (items) => (isArray(items) ? items.toReversed() : items))
        : data,
    ),
    'tools.continued-result-unread': unread(
      'responses.create',
      ({ previous_response_id: previous }) => previous !== undefined,
    ),
    'tools.continued-without-calls': decide(
      'history',
      (native) => (previous, call) =>
        native(previous, call).filter(({ type }) => type !== 'function_call'),
    ),
  }),
];
