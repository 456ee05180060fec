import { changed, memberAt, set, without } from '../editing.ts';
import { eachData, eachEvent } from '../planting.ts';
import type { Fault } from './fault.ts';

/** What can be wrong with the stream of a call. */
export const toolsStreamFaults: readonly Fault[] = [
  {
    id: 'tools.responses-fragment-lost',
    what: 'The second fragment of the arguments is lost on the way, on Responses.',
    breaks: ['generation/tools-stream.arguments-join:responses'],
    override: eachEvent('responses', () => {
      let fragments = 0;
      return (event) =>
        event.name === 'response.function_call_arguments.delta' && ++fragments === 2 ? [] : event;
    }),
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
    override: eachEvent('chat-completions', () => {
      let fragments = 0;
      const path = 'choices.0.delta.tool_calls.0.function.arguments';
      return (event) => (memberAt(event.data, path) && ++fragments === 2 ? [] : event);
    }),
  },
  {
    id: 'tools.chat-cumulative-arguments',
    what: 'Each fragment repeats all of the arguments so far, on Chat Completions.',
    breaks: ['generation/tools-stream.arguments-join:chat-completions'],
    override: eachEvent('chat-completions', () => {
      let whole = '';
      const path = 'choices.0.delta.tool_calls.0.function.arguments';
      return ({ name, data }) => {
        const fragment = memberAt(data, path);
        if (typeof data === 'string' || typeof fragment !== 'string') return { name, data };
        whole += fragment;
        return { name, data: set(data, path, whole) };
      };
    }),
  },
  {
    id: 'tools.messages-fragment-lost',
    what: 'The second fragment of the input is lost on the way, on Messages.',
    breaks: ['generation/tools-stream.arguments-join:messages'],
    override: eachEvent('messages', () => {
      let fragments = 0;
      return (event) =>
        memberAt(event.data, 'delta.type') === 'input_json_delta' && ++fragments === 2 ? [] : event;
    }),
  },
  {
    id: 'tools.responses-fragment-of-nothing',
    what: 'A fragment of the arguments does not say which item it belongs to, on Responses.',
    breaks: ['generation/tools-stream.known-event-shapes:responses'],
    override: eachData('responses', (data) =>
      data.type === 'response.function_call_arguments.delta' ? without(data, 'item_id') : data,
    ),
  },
  {
    id: 'tools.chat-fragment-without-index',
    what: 'The fragments of a call do not say which call they belong to, on Chat Completions.',
    breaks: ['generation/tools-stream.known-event-shapes:chat-completions'],
    override: eachData('chat-completions', (data) =>
      without(data, 'choices.0.delta.tool_calls.0.index'),
    ),
  },
  {
    id: 'tools.messages-block-without-id',
    what: 'The `tool_use` block of a stream has no id, on Messages.',
    breaks: ['generation/tools-stream.known-event-shapes:messages'],
    override: eachData('messages', (data) =>
      memberAt(data, 'content_block.type') === 'tool_use'
        ? without(data, 'content_block.id')
        : data,
    ),
  },
  {
    id: 'tools.generative-bare-part',
    what: 'The part of a chunk that calls stands bare, and not in a list, on generative-content.',
    breaks: ['generation/tools-stream.known-event-shapes:generative'],
    override: eachData('generative', (data) =>
      memberAt(data, 'candidates.0.content.parts.0.functionCall') === undefined
        ? data
        : changed(data, 'candidates.0.content.parts', (parts) => memberAt(parts, '0')),
    ),
  },
];
