import type { ServerResponse } from 'node:http';
import {
  type Context,
  type Event,
  errorText,
  type Json,
  type Protocol,
  send,
} from './testing-exchange.ts';

// Readers and writers of each protocol for the proxy of the proof.

interface Writer {
  write(event: Event): void;
  /** Writes the end of a stream, whatever came. */
  done(): void;
}

interface Translation {
  /** Translates a request of this protocol into the other one. @param dropped receives what it leaves out */
  request(asked: Json, dropped: string[]): Json;
  /** Reads blocks of a stream. */
  reader(): (block: string) => readonly Event[];
  writer(
    context: Context,
    out: ServerResponse,
    headers?: Record<string, string | string[]>,
  ): Writer;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function mapped(asked: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) =>
      asked[from] === undefined ? [] : [[to, asked[from]]],
    ),
  );
}

function drops(asked: Json, names: readonly string[], dropped: string[]): void {
  dropped.push(...names.filter((name) => asked[name] !== undefined));
}

function dataOf(block: string): string | null {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0
    ? null
    : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}

/** An answer as it grows. */
interface Grown {
  text: string;
  calls: { id: string; name: string; args: string }[];
  reason: string;
  stop: string | null;
  input: number;
  cached: number;
  output: number;
}

const nothing = (): Grown => ({
  ...{ text: '', calls: [], reason: 'end', stop: null, input: 0, cached: 0, output: 0 },
});

function grow(grown: Grown, event: Event): void {
  if (event.type === 'text') grown.text += event.text;
  if (event.type === 'call')
    grown.calls[event.index] = { id: event.id, name: event.name, args: '' };
  const call = event.type === 'args' ? grown.calls[event.index] : undefined;
  if (event.type === 'args' && call !== undefined) call.args += event.text;
  if (event.type === 'end') Object.assign(grown, { reason: event.reason, stop: event.stop });
  if (event.type === 'usage') {
    const { type: _, ...counts } = event;
    Object.assign(grown, counts);
  }
}

const chatReasons: Readonly<Record<string, string>> = {
  end: 'stop',
  limit: 'length',
  calls: 'tool_calls',
  filter: 'content_filter',
  stop: 'stop',
  // Chat Completions has no word for these: the answer was cut.
  other: 'length',
};
const messagesReasons: Readonly<Record<string, string>> = {
  end: 'end_turn',
  limit: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
  stop: 'stop_sequence',
  other: 'max_tokens',
};

function neutral(reasons: Readonly<Record<string, string>>, native: string): string {
  return Object.entries(reasons).find(([, name]) => name === native)?.[0] ?? 'other';
}

export const translations: Readonly<Record<Protocol, Translation>> = {
  chat: {
    request(asked, dropped) {
      drops(asked, ['seed', 'presence_penalty', 'frequency_penalty', 'n', 'logprobs'], dropped);
      const messages = list(asked.messages);
      const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
      const turns: Json[] = [];
      for (const { role, content, tool_calls, tool_call_id } of messages) {
        if (role === 'system' || role === 'developer') continue;
        if (role === 'tool') {
          const result = {
            type: 'tool_result',
            tool_use_id: tool_call_id,
            content: textOf(content),
          };
          const last = turns.at(-1);
          if (last?.role === 'user' && Array.isArray(last.content)) last.content.push(result);
          else turns.push({ role: 'user', content: [result] });
          continue;
        }
        const calls = list(tool_calls).map(({ id, function: called }) => {
          const { name, arguments: args } = called as Json;
          return { type: 'tool_use', id, name, input: JSON.parse(`${args}`) };
        });
        turns.push({ role, content: calls.length === 0 ? textOf(content) : calls });
      }
      const { stop, user, tool_choice: choice } = asked;
      return {
        messages: turns,
        max_tokens: asked.max_completion_tokens ?? asked.max_tokens ?? 1_024,
        ...(system.length === 0
          ? {}
          : { system: system.map(({ content }) => textOf(content)).join('\n') }),
        ...(stop === undefined ? {} : { stop_sequences: [stop].flat() }),
        ...mapped(asked, { temperature: 'temperature', top_p: 'top_p' }),
        ...(user === undefined ? {} : { metadata: { user_id: user } }),
        ...(asked.tools === undefined
          ? {}
          : {
              tools: list(asked.tools).map(({ function: offered }) => {
                const { name, description, parameters } = offered as Json;
                return { name, description, input_schema: parameters };
              }),
            }),
        ...(choice === undefined ? {} : { tool_choice: messagesChoice(choice) }),
      };
    },

    reader() {
      const known = new Set<number>();
      return (block) => {
        const data = dataOf(block);
        if (data === null) return [];
        if (data.trim() === '[DONE]') return [{ type: 'done' }];
        const { choices, usage, error } = JSON.parse(data) as Json;
        if (error !== undefined) return [{ type: 'error', message: 'The provider failed.' }];
        const events: Event[] = [];
        for (const { delta, finish_reason } of list(choices)) {
          const { content, tool_calls } = Object(delta) as Json;
          if (typeof content === 'string' && content !== '')
            events.push({ type: 'text', text: content });
          for (const { index, id, function: called } of list(tool_calls)) {
            const at = Number(index);
            const { name, arguments: args } = Object(called) as Json;
            if (!known.has(at))
              events.push({ type: 'call', index: at, id: `${id}`, name: `${name}` });
            known.add(at);
            if (typeof args === 'string' && args !== '')
              events.push({ type: 'args', index: at, text: args });
          }
          if (typeof finish_reason === 'string') {
            events.push({ type: 'end', reason: neutral(chatReasons, finish_reason), stop: null });
          }
        }
        if (typeof usage === 'object' && usage !== null) {
          const counts = usage as Json;
          const { cached_tokens } = Object(counts.prompt_tokens_details) as Json;
          events.push({
            type: 'usage',
            input: Number(counts.prompt_tokens),
            cached: Number(cached_tokens ?? 0),
            output: Number(counts.completion_tokens),
          });
        }
        return events;
      };
    },

    writer(context, out, headers = {}) {
      const { asked } = context;
      const grown = nothing();
      const chunk = (choices: unknown, more: Json = {}): string =>
        `data: ${JSON.stringify({ ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1 }, model: asked.model, choices, ...more })}\n\n`;
      const delta = (value: Json, finish_reason: string | null = null): void => {
        out.write(chunk([{ index: 0, delta: value, finish_reason }]));
      };
      const usage = (): Json => ({
        prompt_tokens: grown.input,
        completion_tokens: grown.output,
        total_tokens: grown.input + grown.output,
        prompt_tokens_details: { cached_tokens: grown.cached },
      });
      const begin = beginning(out, headers, () => delta({ role: 'assistant', content: '' }));
      const end = (): void => {
        delta({}, chatReasons[grown.reason] ?? 'stop');
        const { include_usage } = Object(asked.stream_options) as Json;
        if (include_usage === true) out.write(chunk([], { usage: usage() }));
        out.end('data: [DONE]\n\n');
      };
      return {
        done: end,
        write(event) {
          grow(grown, event);
          if (asked.stream !== true) {
            if (event.type === 'error') return send(out, failed(context, event.message));
            if (event.type !== 'done') return;
            const calls = grown.calls.map(({ id, name, args }) => ({
              ...{ id, type: 'function' },
              function: { name, arguments: args === '' ? '{}' : args },
            }));
            const message = {
              role: 'assistant',
              content: grown.text === '' ? null : grown.text,
              ...(calls.length === 0 ? {} : { tool_calls: calls }),
            };
            const choice = {
              index: 0,
              message,
              logprobs: null,
              finish_reason: chatReasons[grown.reason],
            };
            const body = {
              ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: asked.model },
              ...{ choices: [choice], usage: usage() },
            };
            return send(out, { status: 200, headers, body: context.written(JSON.stringify(body)) });
          }
          begin();
          if (event.type === 'text') delta({ content: event.text });
          if (event.type === 'call') {
            const { index, id, name } = event;
            const called = { name, arguments: '' };
            delta({ tool_calls: [{ index, id, type: 'function', function: called }] });
          }
          if (event.type === 'args') {
            delta({ tool_calls: [{ index: event.index, function: { arguments: event.text } }] });
          }
          if (event.type === 'error') {
            out.end(`data: ${errorText('chat', 500, event.message)}\n\n`);
          }
          if (event.type === 'done') {
            for (const [index, { args }] of grown.calls.entries()) {
              if (args === '') delta({ tool_calls: [{ index, function: { arguments: '{}' } }] });
            }
            end();
          }
        },
      };
    },
  },

  messages: {
    request(asked, dropped) {
      drops(asked, ['top_k'], dropped);
      const { system, stop_sequences, metadata, tool_choice: choice } = asked;
      const { user_id } = Object(metadata) as Json;
      const turns = list(asked.messages).flatMap(({ role, content }): Json[] => {
        const parts = list(content);
        const results = parts.filter(({ type }) => type === 'tool_result');
        if (results.length > 0) {
          return results.map((part) => ({
            ...{ role: 'tool', tool_call_id: part.tool_use_id },
            content: textOf(part.content),
          }));
        }
        const calls = parts.filter(({ type }) => type === 'tool_use');
        if (calls.length === 0) return [{ role, content: textOf(content) }];
        const tool_calls = calls.map(({ id, name, input }) => ({
          ...{ id, type: 'function' },
          function: { name, arguments: JSON.stringify(input) },
        }));
        return [{ role, content: null, tool_calls }];
      });
      return {
        messages: [
          ...(system === undefined ? [] : [{ role: 'system', content: textOf(system) }]),
          ...turns,
        ],
        max_completion_tokens: asked.max_tokens,
        ...(stop_sequences === undefined ? {} : { stop: stop_sequences }),
        ...mapped(asked, { temperature: 'temperature', top_p: 'top_p' }),
        ...(user_id === undefined ? {} : { user: user_id }),
        ...(asked.tools === undefined
          ? {}
          : {
              tools: list(asked.tools).map(({ name, description, input_schema }) => ({
                ...{ type: 'function' },
                function: { name, description, parameters: input_schema },
              })),
            }),
        ...(choice === undefined ? {} : { tool_choice: chatChoice(choice as Json) }),
      };
    },

    reader() {
      const indexes = new Map<number, number>();
      return (block) => {
        const data = dataOf(block);
        if (data === null) return [];
        const event = JSON.parse(data) as Json;
        const { type, index, content_block, delta, message } = event;
        const { stop_reason, stop_sequence, text, partial_json } = Object(delta) as Json;
        const usage = Object(event.usage ?? (Object(message) as Json).usage) as Json;
        switch (type) {
          case 'message_start': {
            const cached = Number(usage.cache_read_input_tokens ?? 0);
            const written = Number(usage.cache_creation_input_tokens ?? 0);
            const input = Number(usage.input_tokens) + cached + written;
            return [{ type: 'usage', input, cached }];
          }
          case 'content_block_start': {
            const { type: kind, id, name } = Object(content_block) as Json;
            if (kind !== 'tool_use') return [];
            indexes.set(Number(index), indexes.size);
            return [{ type: 'call', index: indexes.size - 1, id: `${id}`, name: `${name}` }];
          }
          case 'content_block_delta':
            if (typeof text === 'string') return [{ type: 'text', text }];
            if (typeof partial_json !== 'string') return [];
            return [{ type: 'args', index: indexes.get(Number(index)) ?? 0, text: partial_json }];
          case 'message_delta':
            return [
              {
                type: 'end',
                reason: neutral(messagesReasons, `${stop_reason}`),
                stop: typeof stop_sequence === 'string' ? stop_sequence : null,
              },
              { type: 'usage', output: Number(usage.output_tokens) },
            ];
          case 'message_stop':
            return [{ type: 'done' }];
          case 'error':
            return [{ type: 'error', message: 'The provider failed.' }];
          default:
            return [];
        }
      };
    },

    writer(context, out, headers = {}) {
      const { asked } = context;
      const grown = nothing();
      const event = (type: string, data: Json = {}): void => {
        out.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      };
      const head = { id: 'msg_1', type: 'message', role: 'assistant', model: asked.model };
      const usage = (): Json => ({
        input_tokens: grown.input - grown.cached,
        cache_read_input_tokens: grown.cached,
        cache_creation_input_tokens: 0,
        output_tokens: grown.output,
      });
      let isOpen = false;
      const begin = beginning(out, headers, () =>
        event('message_start', {
          message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage: usage() },
        }),
      );
      const close = (): void => {
        if (isOpen) event('content_block_stop', { index: 0 });
        isOpen = false;
      };
      const end = (): void => {
        close();
        const first = grown.text === '' ? 0 : 1;
        for (const [number, { id, name, args }] of grown.calls.entries()) {
          const index = first + number;
          const content_block = { type: 'tool_use', id, name, input: {} };
          event('content_block_start', { index, content_block });
          const delta = { type: 'input_json_delta', partial_json: args };
          if (args !== '') event('content_block_delta', { index, delta });
          event('content_block_stop', { index });
        }
        const stop_reason = messagesReasons[grown.reason];
        event('message_delta', {
          delta: { stop_reason, stop_sequence: grown.stop },
          usage: usage(),
        });
        event('message_stop');
        out.end();
      };
      return {
        done: end,
        write(one) {
          grow(grown, one);
          if (asked.stream !== true) {
            if (one.type === 'error') return send(out, failed(context, one.message));
            if (one.type !== 'done') return;
            const texts =
              grown.text === '' ? [] : [JSON.stringify({ type: 'text', text: grown.text })];
            // The input is written as it came, so that no number is rounded.
            const calls = grown.calls.map(
              ({ id, name, args }) =>
                `${JSON.stringify({ type: 'tool_use', id, name }).slice(0, -1)},"input":${args === '' ? '{}' : args}}`,
            );
            const rest = {
              ...{ stop_reason: messagesReasons[grown.reason], stop_sequence: grown.stop },
              usage: usage(),
            };
            const body = `${JSON.stringify(head).slice(0, -1)},"content":[${[...texts, ...calls].join(',')}],${JSON.stringify(rest).slice(1)}`;
            return send(out, { status: 200, headers, body: context.written(body) });
          }
          begin();
          if (one.type === 'text') {
            if (!isOpen) {
              event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
            }
            isOpen = true;
            const delta = { type: 'text_delta', text: one.text };
            event('content_block_delta', { index: 0, delta });
          }
          if (one.type === 'error') {
            out.end(`event: error\ndata: ${errorText('messages', 500, one.message)}\n\n`);
          }
          if (one.type === 'done') end();
        },
      };
    },
  },
};

/** Writes the head of a stream and its first event, once. */
function beginning(
  out: ServerResponse,
  headers: Record<string, string | string[]>,
  first: () => void,
): () => void {
  let isBegun = false;
  return () => {
    if (isBegun) return;
    isBegun = true;
    out.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    first();
  };
}

function failed({ front }: Context, message: string) {
  return { status: 502, headers: {}, body: errorText(front, 502, message) };
}

function messagesChoice(choice: unknown): Json {
  if (choice === 'required') return { type: 'any' };
  if (typeof choice === 'string') return { type: choice };
  const { function: named } = choice as Json;
  return { type: 'tool', name: (named as Json).name };
}

function chatChoice({ type, name }: Json): unknown {
  if (type === 'tool') return { type: 'function', function: { name } };
  return type === 'any' ? 'required' : type;
}
