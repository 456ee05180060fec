import { isArray, type Json, type JsonObject, Refusal } from '../../../reference/index.ts';
import { changed, dropping, memberAt, renaming, replacing, set, without } from '../../editing.ts';
import { bodiesOf, eachData, eachEvent, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';
import { cumulative, lost } from './streamed-text.ts';

const inResponses = bodiesOf('responses.response');
const inCompletions = bodiesOf('chat-completions.completion');
const inMessages = bodiesOf('messages.message');
const inCandidates = bodiesOf('generative.response');

const streamedArguments = 'choices.0.delta.tool_calls.0.function.arguments';
const streamedName = 'choices.0.delta.tool_calls.0.function.name';
const chatArguments = 'choices.0.message.tool_calls.0.function.arguments';

function appended(body: JsonObject, path: string, entry: JsonObject): JsonObject {
  return changed(body, path, (list) => (isArray(list) ? [...list, entry] : list));
}

function parsedText(text: Json | undefined): Json | undefined {
  return typeof text === 'string' ? JSON.parse(text) : text;
}

function hasOutputItem({ input }: { readonly input?: Json | undefined }): boolean {
  return isArray(input) && input.some((item) => memberAt(item, 'type') === 'function_call_output');
}

function hasToolMessage({ messages }: { readonly messages?: Json | undefined }): boolean {
  return isArray(messages) && messages.some((message) => memberAt(message, 'role') === 'tool');
}

function hasToolResult({ messages }: { readonly messages?: Json | undefined }): boolean {
  return blocks(messages, 'content').some((block) => memberAt(block, 'type') === 'tool_result');
}

function hasFunctionResponse({ contents }: { readonly contents?: Json | undefined }): boolean {
  return blocks(contents, 'parts').some((part) => memberAt(part, 'functionResponse') !== undefined);
}

function blocks(turns: Json | undefined, member: string): readonly Json[] {
  if (!isArray(turns)) return [];
  return turns.flatMap((turn) => {
    const list = memberAt(turn, member);
    return isArray(list) ? list : [];
  });
}

export const generationToolsFaults: readonly Fault[] = [
  ...planted({
    'tools.responses-no-call-id': inResponses(renaming('output.0.call_id', 'tool_id')),
    'tools.responses-arguments-object': inResponses((body) =>
      changed(body, 'output.0.arguments', parsedText),
    ),
    'tools.chat-arguments-object': inCompletions((body) =>
      changed(body, chatArguments, parsedText),
    ),
    'tools.responses-arguments-cut': inResponses((body) =>
      changed(body, 'output.0.arguments', (text) => String(text).slice(0, -1)),
    ),
    'tools.chat-arguments-list': inCompletions((body) =>
      changed(body, chatArguments, (text) => `[${text}]`),
    ),
    'tools.chat-function-call': inCompletions((body) =>
      changed(body, 'choices.0.message', (message) => {
        const call = memberAt(message, 'tool_calls.0.function');
        return call === undefined
          ? message
          : { role: 'assistant', content: null, function_call: call };
      }),
    ),
    'tools.chat-no-call-id': inCompletions(dropping('choices.0.message.tool_calls.0.id')),
    'tools.messages-end-turn': inMessages(replacing('stop_reason', 'tool_use', 'end_turn')),
    'tools.messages-stream-end-turn': eachData(
      'messages',
      replacing('delta.stop_reason', 'tool_use', 'end_turn'),
    ),
    'tools.messages-input-text': inMessages((body) =>
      changed(body, 'content.0.input', (input) =>
        input === undefined ? undefined : JSON.stringify(input),
      ),
    ),
    'tools.generative-args-text': inCandidates((body) =>
      changed(body, 'candidates.0.content.parts.0.functionCall.args', (args) =>
        args === undefined ? undefined : JSON.stringify(args),
      ),
    ),
    'tools.generative-no-name': inCandidates(
      dropping('candidates.0.content.parts.0.functionCall.name'),
    ),
    'tools.responses-search-unasked': inResponses((body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'output', { type: 'web_search_call', id: 'ws_1', status: 'completed' })
        : body,
    ),
    'tools.chat-call-unasked': inCompletions((body, { call }) =>
      call.body.tools === undefined
        ? set(body, 'choices.0.message.tool_calls', [
            { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } },
          ])
        : body,
    ),
    'tools.messages-search-unasked': inMessages((body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'content', {
            type: 'server_tool_use',
            id: 'srvtoolu_1',
            name: 'web_search',
            input: { query: '' },
          })
        : body,
    ),
    'tools.generative-call-unasked': inCandidates((body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'candidates.0.content.parts', {
            functionCall: { name: 'search', args: {} },
          })
        : body,
    ),
  }),
  ...each(
    [
      ['responses', 'responses.create', hasOutputItem],
      ['chat-completions', 'chat-completions.create', hasToolMessage],
      ['messages', 'messages.create', hasToolResult],
      ['generative', 'generative.generate', hasFunctionResponse],
    ] as const,
    ([, operation, hasResult]) => ({
      'tools.{0}-result-refused': handling(operation, (handle) => (call, key) => {
        if (!hasResult(call.body)) return handle(call, key);
        throw new Refusal('invalid-value', 'This kind of content is not known.');
      }),
    }),
  ),
  ...planted({
    'tools.responses-fragment-lost': lost(
      'responses',
      2,
      ({ name }) => name === 'response.function_call_arguments.delta',
    ),
    'tools.responses-other-arguments': eachData('responses', (data) =>
      data.type === 'response.output_item.done'
        ? changed(data, 'item.arguments', (text) => (text === undefined ? undefined : '{}'))
        : data,
    ),
    'tools.chat-fragment-lost': lost('chat-completions', 2, ({ data }) =>
      Boolean(memberAt(data, streamedArguments)),
    ),
    'tools.chat-cumulative-arguments': cumulative('chat-completions', streamedArguments),
    'tools.chat-named-in-each': eachEvent('chat-completions', () => {
      let name: Json | undefined;
      return (event) => {
        const { data } = event;
        if (typeof data === 'string') return event;
        name ??= memberAt(data, streamedName);
        return { ...event, data: changed(data, streamedName, (own) => own ?? name) };
      };
    }),
    'tools.messages-blocks-lost': eachEvent('messages', () => {
      const lost = new Set<Json | undefined>();
      return (event) => {
        const { data } = event;
        if (memberAt(data, 'content_block.type') === 'tool_use') lost.add(memberAt(data, 'index'));
        const isOfBlock = String(memberAt(data, 'type')).startsWith('content_block_');
        return isOfBlock && lost.has(memberAt(data, 'index')) ? [] : event;
      };
    }),
    'tools.messages-fragment-lost': lost(
      'messages',
      2,
      ({ data }) => memberAt(data, 'delta.type') === 'input_json_delta',
    ),
    'tools.responses-fragment-of-nothing': eachData('responses', (data) =>
      data.type === 'response.function_call_arguments.delta' ? without(data, 'item_id') : data,
    ),
    'tools.chat-fragment-without-index': eachData(
      'chat-completions',
      dropping('choices.0.delta.tool_calls.0.index'),
    ),
    'tools.messages-block-without-id': eachData('messages', (data) =>
      memberAt(data, 'content_block.type') === 'tool_use'
        ? without(data, 'content_block.id')
        : data,
    ),
    'tools.generative-bare-part': eachData('generative', (data) =>
      memberAt(data, 'candidates.0.content.parts.0.functionCall') === undefined
        ? data
        : changed(data, 'candidates.0.content.parts', (parts) => memberAt(parts, '0')),
    ),
  }),
];
