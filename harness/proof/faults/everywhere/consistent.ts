import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type StreamEvent,
} from '../../../reference/index.ts';
import { changed, memberAt, replacing, set, without } from '../../editing.ts';
import { bodies, eachData, eachEvent, type Override, streams, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Answers whose parts contradict one another or their request.

const calls = 'choices.0.delta.tool_calls';

const isCallBlock = (data: JsonObject): boolean =>
  memberAt(data, 'content_block.type') === 'tool_use';

/** Drops every event of the blocks with a call, and keeps their stop reason. */
const messagesCallsLost: Override = eachEvent('messages', () => {
  const lost = new Set<unknown>();
  return (event: StreamEvent) => {
    if (typeof event.data === 'string') return event;
    if (isCallBlock(event.data)) lost.add(event.data.index);
    const isOfBlock = String(event.data.type).startsWith('content_block_');
    return isOfBlock && lost.has(event.data.index) ? [] : event;
  };
});

/** Sends the usage of the whole request before the chunk with the finish reason. */
const usageBeforeFinish: Override = streams('chat-completions', async function* (events) {
  let finish: StreamEvent | null = null;
  for await (const event of events) {
    const isFinish =
      finish === null && typeof memberAt(event.data, 'choices.0.finish_reason') === 'string';
    if (isFinish) {
      finish = event;
      continue;
    }
    if (finish !== null && event.data === '[DONE]') yield finish;
    yield event;
  }
});

const asksForUsage = ({ call }: { readonly call: { readonly body: JsonObject } }): boolean =>
  memberAt(call.body, 'stream_options.include_usage') === true;

/** Adds the usage chunk to streams that did not ask for it. */
const usageUnasked: Override = eachEvent('chat-completions', (context) => {
  let last: JsonObject = {};
  return (event) => {
    if (isObject(event.data)) last = event.data;
    if (event.data !== '[DONE]' || asksForUsage(context)) return event;
    const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
    return [{ name: null, data: { ...last, choices: [], usage } }, event];
  };
});

const details = {
  responses: 'usage.output_tokens_details.rejected_tokens',
  'chat-completions': 'usage.completion_tokens_details.rejected_prediction_tokens',
  messages: 'usage.output_tokens_details.thinking_tokens',
  generative: 'usageMetadata.toolTokens',
  systemone: 'usage.cached_tokens',
} as const;

const kinds = {
  responses: 'responses.response',
  'chat-completions': 'chat-completions.completion',
  messages: 'messages.message',
  generative: 'generative.response',
  systemone: 'systemone.result',
} as const;

/** Members that say how an answer ended, with its limit and its natural end. */
const endings = {
  responses: ['status', 'incomplete', 'completed'],
  'chat-completions': ['choices.0.finish_reason', 'length', 'stop'],
  messages: ['stop_reason', 'max_tokens', 'end_turn'],
  generative: ['candidates.0.finishReason', 'MAX_TOKENS', 'STOP'],
} as const;

/** Says of every answer that reached its limit that the model had finished. */
function limitUntold(protocol: keyof typeof endings): Override {
  const [path, limit, natural] = endings[protocol];
  if (protocol === 'responses') return naturallyEndedAtLimit;
  const streamed = protocol === 'messages' ? `delta.${path}` : path;
  return together(
    bodies(kinds[protocol], replacing(path, limit, natural)),
    eachData(protocol, replacing(streamed, limit, natural)),
  );
}

function naturallyEnded(response: JsonObject): JsonObject {
  if (response.status !== 'incomplete') return response;
  const items = isArray(response.output) ? response.output.map(naturallyEndedItem) : [];
  return { ...response, status: 'completed', incomplete_details: null, output: items };
}

function naturallyEndedItem(item: Json): Json {
  return isObject(item) && item.status === 'incomplete' ? { ...item, status: 'completed' } : item;
}

const naturallyEndedAtLimit: Override = together(
  bodies('responses.response', naturallyEnded),
  eachEvent('responses', () => ({ name, data }) => {
    if (typeof data === 'string') return { name, data };
    const told = changed(data, 'item', (item) => item && naturallyEndedItem(item));
    if (data.type !== 'response.incomplete') return { name, data: told };
    const whole = changed(told, 'response', (response) => naturallyEnded(Object(response)));
    return { name: name && 'response.completed', data: set(whole, 'type', 'response.completed') };
  }),
);

/** Adds a negative count at a path, whose objects may be missing. */
function withDetail(body: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const inner = body[name] ?? {};
  return { ...body, [name]: rest.length === 0 ? -1 : withDetail(Object(inner), rest) };
}

export const everywhereConsistentFaults: readonly Fault[] = [
  ...planted({
    'consistent.chat-calls-lost': eachData('chat-completions', (chunk) => without(chunk, calls)),
    'consistent.messages-calls-lost': messagesCallsLost,
    'consistent.chat-streamed-call-stops': eachData(
      'chat-completions',
      replacing('choices.0.finish_reason', 'tool_calls', 'stop'),
    ),
    'consistent.cut-item-of-completed': bodies('responses.response', (body, { call }) =>
      body.status === 'completed' && call.operation === 'responses.lookup'
        ? changed(body, 'output.0.status', (status) =>
            status === undefined ? status : 'incomplete',
          )
        : body,
    ),
    'consistent.whole-item-of-cut': bodies('responses.response', (body) =>
      body.status === 'incomplete'
        ? changed(body, 'output', (items) =>
            isArray(items)
              ? items.map((item) => (isObject(item) ? { ...item, status: 'completed' } : item))
              : items,
          )
        : body,
    ),
    'consistent.recovered-total': eachData('responses', (data, _, { call }) =>
      call.operation === 'responses.recover'
        ? changed(data, 'response.usage.total_tokens', (total) =>
            total === undefined ? total : Number(total) + 1,
          )
        : data,
    ),
    'consistent.messages-stream-input-later': eachData('messages', (data) =>
      data.type === 'message_start' ? set(data, 'message.usage.input_tokens', 0) : data,
    ),
    'consistent.usage-null': bodies('responses.response', (body) => set(body, 'usage', null)),
    'consistent.compact-usage-null': bodies('responses.compaction', (body) =>
      without(body, 'usage'),
    ),
    'consistent.output-empty': bodies('responses.response', (body) => set(body, 'output', [])),
    'consistent.content-empty': bodies('chat-completions.completion', (body) =>
      changed(body, 'choices.0.message.content', (text) => (text === null ? text : '')),
    ),
    'consistent.usage-chunk-unasked': usageUnasked,
    'consistent.logprobs-unasked': bodies('chat-completions.completion', (body, { call }) =>
      call.body.logprobs === true
        ? body
        : set(body, 'choices.0.logprobs', {
            content: [{ token: 'a', logprob: -0.1, bytes: null, top_logprobs: [] }],
            refusal: null,
          }),
    ),
    'consistent.second-choice-unasked': bodies('chat-completions.completion', (body, { call }) =>
      call.body.n === undefined
        ? changed(body, 'choices', (list) =>
            isArray(list) && isObject(list[0] ?? null)
              ? [...list, { ...Object(list[0]), index: 1 }]
              : list,
          )
        : body,
    ),
    'consistent.thinking-unasked': bodies('messages.message', (body, { call }) =>
      call.body.thinking === undefined
        ? changed(body, 'content', (blocks) =>
            isArray(blocks)
              ? [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, ...blocks]
              : blocks,
          )
        : body,
    ),
    'consistent.call-and-malformed': bodies('generative.response', (body) =>
      memberAt(body, 'candidates.0.content.parts.0.functionCall') === undefined
        ? body
        : set(body, 'candidates.0.finishReason', 'MALFORMED_FUNCTION_CALL'),
    ),
    'consistent.call-id-changes': eachData('chat-completions', (chunk, index) =>
      memberAt(chunk, `${calls}.0`) !== undefined && memberAt(chunk, `${calls}.0.id`) === undefined
        ? set(chunk, `${calls}.0.id`, `call_${index}`)
        : chunk,
    ),
    'consistent.call-renamed-at-the-end': eachData('responses', (data) =>
      data.type === 'response.output_item.done' && memberAt(data, 'item.name') !== undefined
        ? set(data, 'item.name', 'look_up_weather')
        : data,
    ),
    'consistent.model-changes': eachData('generative', (chunk, index) =>
      index === 0 ? chunk : changed(chunk, 'modelVersion', (model) => model && `${model}-b`),
    ),
    'consistent.usage-before-finish': usageBeforeFinish,
    'consistent.thoughts-unsigned-body': bodies('messages.message', (body) =>
      changed(body, 'content', (blocks) =>
        isArray(blocks)
          ? blocks.map((block) => (isObject(block) ? without(block, 'signature') : block))
          : blocks,
      ),
    ),
    'consistent.recovered-part-bare': eachData('responses', (data, _, { call }) =>
      call.operation === 'responses.recover'
        ? without(data, 'response.output.0.content.0.annotations')
        : data,
    ),
    'consistent.usage-without-details': bodies('responses.response', (body) =>
      without(body, 'usage.output_tokens_details'),
    ),
  }),
  ...each(Object.keys(endings), (protocol) => ({
    'consistent.limit-untold-{}': limitUntold(protocol as keyof typeof endings),
  })),
  ...each(Object.entries(details), ([protocol, path]) => ({
    'consistent.negative-count-{0}': bodies(kinds[protocol as keyof typeof kinds], (body) =>
      withDetail(body, path.split('.')),
    ),
  })),
];
