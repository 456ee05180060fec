import { isArray, type Json, type JsonObject, Refusal } from '../../../reference/index.ts';
import { changed, memberAt, renamed, set, without } from '../../editing.ts';
import { bodies, eachData, eachEvent, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { cumulative, lost } from './streamed-text.ts';

const streamedArguments = 'choices.0.delta.tool_calls.0.function.arguments';
const streamedName = 'choices.0.delta.tool_calls.0.function.name';
const chatArguments = 'choices.0.message.tool_calls.0.function.arguments';

const toolsFaults: readonly Fault[] = [
  {
    id: 'tools.responses-no-call-id',
    what: 'A function call on Responses has no `call_id`.',
    breaks: ['generation/tools.shape:responses'],
    override: bodies('responses.response', (body) => renamed(body, 'output.0.call_id', 'tool_id')),
  },
  {
    id: 'tools.responses-arguments-object',
    what: 'The arguments of a function call on Responses are an object, not its JSON text.',
    breaks: ['generation/tools.shape:responses'],
    override: bodies('responses.response', (body) =>
      changed(body, 'output.0.arguments', parsedText),
    ),
  },
  {
    id: 'tools.chat-arguments-object',
    what: 'The arguments of a tool call are an object, not its JSON text.',
    breaks: ['generation/tools.shape:chat-completions'],
    override: bodies('chat-completions.completion', (body) =>
      changed(body, chatArguments, parsedText),
    ),
  },
  {
    id: 'tools.responses-arguments-cut',
    what: 'The arguments of a function call on Responses are JSON text without its end.',
    breaks: ['generation/tools.shape:responses'],
    override: bodies('responses.response', (body) =>
      changed(body, 'output.0.arguments', (text) => String(text).slice(0, -1)),
    ),
  },
  {
    id: 'tools.chat-arguments-list',
    what: 'The arguments of a tool call are the JSON text of a list.',
    breaks: ['generation/tools.shape:chat-completions'],
    override: bodies('chat-completions.completion', (body) =>
      changed(body, chatArguments, (text) => `[${text}]`),
    ),
  },
  {
    id: 'tools.chat-function-call',
    what: 'A call comes in `function_call`, the form that came before `tools`.',
    breaks: ['generation/tools.shape:chat-completions'],
    override: bodies('chat-completions.completion', (body) =>
      changed(body, 'choices.0.message', (message) => {
        const call = memberAt(message, 'tool_calls.0.function');
        return call === undefined
          ? message
          : { role: 'assistant', content: null, function_call: call };
      }),
    ),
  },
  {
    id: 'tools.chat-no-call-id',
    what: 'A tool call has no id.',
    breaks: ['generation/tools.shape:chat-completions'],
    override: bodies('chat-completions.completion', (body) =>
      without(body, 'choices.0.message.tool_calls.0.id'),
    ),
  },
  {
    id: 'tools.messages-end-turn',
    what: 'A message with a `tool_use` block ends with `end_turn`.',
    breaks: ['generation/tools.messages-call-not-over', 'generation/tools.messages-stop-reason'],
    override: bodies('messages.message', (body) =>
      changed(body, 'stop_reason', (reason) => (reason === 'tool_use' ? 'end_turn' : reason)),
    ),
  },
  {
    id: 'tools.messages-stream-end-turn',
    what: 'A stream of Messages with a `tool_use` block ends with `end_turn`.',
    breaks: ['generation/tools.messages-call-not-over:messages-stream'],
    override: eachData('messages', (data) =>
      changed(data, 'delta.stop_reason', (reason) => (reason === 'tool_use' ? 'end_turn' : reason)),
    ),
  },
  {
    id: 'tools.messages-input-text',
    what: 'The input of a `tool_use` block is JSON text, not the object.',
    breaks: ['generation/tools.shape:messages'],
    override: bodies('messages.message', (body) =>
      changed(body, 'content.0.input', (input) =>
        input === undefined ? undefined : JSON.stringify(input),
      ),
    ),
  },
  {
    id: 'tools.generative-args-text',
    what: 'The `args` of a `functionCall` are JSON text, not the object.',
    breaks: ['generation/tools.shape:generative'],
    override: bodies('generative.response', (body) =>
      changed(body, 'candidates.0.content.parts.0.functionCall.args', (args) =>
        args === undefined ? undefined : JSON.stringify(args),
      ),
    ),
  },
  {
    id: 'tools.generative-no-name',
    what: 'A `functionCall` does not name the function.',
    breaks: ['generation/tools.shape:generative'],
    override: bodies('generative.response', (body) =>
      without(body, 'candidates.0.content.parts.0.functionCall.name'),
    ),
  },
  {
    id: 'tools.responses-search-unasked',
    what: 'Every answer on Responses has a web search in it, though no tool was given.',
    breaks: ['generation/tools.no-call-without-tools:responses'],
    override: bodies('responses.response', (body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'output', { type: 'web_search_call', id: 'ws_1', status: 'completed' })
        : body,
    ),
  },
  {
    id: 'tools.chat-call-unasked',
    what: 'A message has a tool call beside its text, though no tool was given.',
    breaks: ['generation/tools.no-call-without-tools:chat-completions'],
    override: bodies('chat-completions.completion', (body, { call }) =>
      call.body.tools === undefined
        ? set(body, 'choices.0.message.tool_calls', [
            { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } },
          ])
        : body,
    ),
  },
  {
    id: 'tools.messages-search-unasked',
    what: 'Every message has a web search in it, though no tool was given.',
    breaks: ['generation/tools.no-call-without-tools:messages'],
    override: bodies('messages.message', (body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'content', {
            type: 'server_tool_use',
            id: 'srvtoolu_1',
            name: 'web_search',
            input: { query: '' },
          })
        : body,
    ),
  },
  {
    id: 'tools.generative-call-unasked',
    what: 'A candidate has a call beside its text, though no tool was given.',
    breaks: ['generation/tools.no-call-without-tools:generative'],
    override: bodies('generative.response', (body, { call }) =>
      call.body.tools === undefined
        ? appended(body, 'candidates.0.content.parts', {
            functionCall: { name: 'search', args: {} },
          })
        : body,
    ),
  },
  ...(
    [
      ['responses', 'responses.create', hasOutputItem],
      ['chat-completions', 'chat-completions.create', hasToolMessage],
      ['messages', 'messages.create', hasToolResult],
      ['generative', 'generative.generate', hasFunctionResponse],
    ] as const
  ).map(
    ([protocol, operation, hasResult]): Fault => ({
      id: `tools.${protocol}-result-refused`,
      what: `The result of a call is no input that the gateway knows, on ${protocol}.`,
      breaks: [`generation/tools.result-served:${protocol}`],
      override: handling(operation, (handle) => (call, key) => {
        if (!hasResult(call.body)) return handle(call, key);
        throw new Refusal('invalid-value', 'This kind of content is not known.');
      }),
    }),
  ),
];

/** With one more entry in a list. */
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

/** Faults of streamed tool calls. */
const toolsStreamFaults: readonly Fault[] = [
  {
    id: 'tools.responses-fragment-lost',
    what: 'The second fragment of the arguments is lost on the way, on Responses.',
    breaks: ['generation/tools-stream.arguments-join:responses'],
    override: lost('responses', 2, ({ name }) => name === 'response.function_call_arguments.delta'),
  },
  {
    id: 'tools.responses-other-arguments',
    what: 'The finished item has other arguments than were streamed, on Responses.',
    breaks: ['generation/tools-stream.arguments-join:responses'],
    override: eachData('responses', (data) =>
      data.type === 'response.output_item.done'
        ? changed(data, 'item.arguments', (text) => (text === undefined ? undefined : '{}'))
        : data,
    ),
  },
  {
    id: 'tools.chat-fragment-lost',
    what: 'The second fragment of the arguments is lost on the way, on Chat Completions.',
    breaks: ['generation/tools-stream.arguments-join:chat-completions'],
    override: lost('chat-completions', 2, ({ data }) => Boolean(memberAt(data, streamedArguments))),
  },
  {
    id: 'tools.chat-cumulative-arguments',
    what: 'Each fragment repeats all of the arguments so far, on Chat Completions.',
    breaks: ['generation/tools-stream.arguments-join:chat-completions'],
    override: cumulative('chat-completions', streamedArguments),
  },
  {
    id: 'tools.chat-named-in-each',
    what: 'Each fragment of a call names its function again, on Chat Completions.',
    breaks: ['generation/chat-completions-stream.call-named-once'],
    override: eachEvent('chat-completions', () => {
      let name: Json | undefined;
      return (event) => {
        const { data } = event;
        if (typeof data === 'string') return event;
        name ??= memberAt(data, streamedName);
        return { ...event, data: changed(data, streamedName, (own) => own ?? name) };
      };
    }),
  },
  {
    id: 'tools.messages-blocks-lost',
    what: 'The events of `tool_use` blocks are lost on the way, on Messages; the ending speaks of a call.',
    breaks: ['generation/tools.shape:messages-stream'],
    override: eachEvent('messages', () => {
      const lost = new Set<Json | undefined>();
      return (event) => {
        const { data } = event;
        if (memberAt(data, 'content_block.type') === 'tool_use') lost.add(memberAt(data, 'index'));
        const isOfBlock = String(memberAt(data, 'type')).startsWith('content_block_');
        return isOfBlock && lost.has(memberAt(data, 'index')) ? [] : event;
      };
    }),
  },
  {
    id: 'tools.messages-fragment-lost',
    what: 'The second fragment of the input is lost on the way, on Messages.',
    breaks: ['generation/tools-stream.arguments-join:messages'],
    override: lost(
      'messages',
      2,
      ({ data }) => memberAt(data, 'delta.type') === 'input_json_delta',
    ),
  },
  {
    id: 'tools.responses-fragment-of-nothing',
    what: 'A fragment of the arguments does not say which item it belongs to, on Responses.',
    breaks: ['generation/responses-stream.known-event-shapes'],
    shownBy: ['generation/tools-stream.arguments-join'],
    override: eachData('responses', (data) =>
      data.type === 'response.function_call_arguments.delta' ? without(data, 'item_id') : data,
    ),
  },
  {
    id: 'tools.chat-fragment-without-index',
    what: 'The fragments of a call do not say which call they belong to, on Chat Completions.',
    breaks: ['generation/chat-completions-stream.chunk-shape'],
    shownBy: ['generation/tools-stream.arguments-join'],
    override: eachData('chat-completions', (data) =>
      without(data, 'choices.0.delta.tool_calls.0.index'),
    ),
  },
  {
    id: 'tools.messages-block-without-id',
    what: 'The `tool_use` block of a stream has no id, on Messages.',
    breaks: ['generation/messages-stream.known-event-shapes'],
    shownBy: ['generation/tools-stream.arguments-join'],
    override: eachData('messages', (data) =>
      memberAt(data, 'content_block.type') === 'tool_use'
        ? without(data, 'content_block.id')
        : data,
    ),
  },
  {
    id: 'tools.generative-bare-part',
    what: 'The part of a chunk that calls stands bare, and not in a list, on generative-content.',
    breaks: ['generation/generative-stream.chunk-shape'],
    shownBy: ['generation/tools-stream.arguments-join'],
    override: eachData('generative', (data) =>
      memberAt(data, 'candidates.0.content.parts.0.functionCall') === undefined
        ? data
        : changed(data, 'candidates.0.content.parts', (parts) => memberAt(parts, '0')),
    ),
  },
];

export const generationToolsFaults: readonly Fault[] = [...toolsFaults, ...toolsStreamFaults];
