import { at, isObject, listAt, numberAt, textAt } from '../../kernel/core/index.ts';
import type { HeardRequest, HeardTurn, Played, Say, ToolChoice, Turn } from './ask.ts';
import { pieces } from './ask.ts';

const ends = {
  end: 'end_turn',
  limit: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
  'stop-sequence': 'stop_sequence',
} as const;

const members = {
  stop: 'stop_sequences',
  temperature: 'temperature',
  'top-p': 'top_p',
  'top-k': 'top_k',
  seed: null,
  penalties: null,
  user: 'metadata',
} as const;

/** Messages, as its provider and its clients write and read it. */
export const messages: Played = {
  ends,
  members,

  request({ turns, system, limit, params = {}, tools, choice }) {
    const { user, ...others } = params;
    return {
      messages: turns.map(messageOf),
      max_tokens: limit,
      ...(system === undefined ? {} : { system }),
      ...Object.fromEntries(
        Object.entries(members).flatMap(([name, member]) => {
          const value = Object.entries(others).find(([one]) => one === name)?.[1];
          return value === undefined || member === null ? [] : [[member, value]];
        }),
      ),
      ...(user === undefined ? {} : { metadata: { user_id: user } }),
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              name,
              description,
              input_schema: schema,
            })),
          }),
      ...(choice === undefined ? {} : { tool_choice: messagesChoice(choice) }),
    };
  },

  heard(body): HeardRequest {
    const all = listAt(body, 'messages');
    const isSystem = (one: unknown): boolean => textAt(one, 'role') === 'system';
    const system = at(body, 'system');
    return {
      model: textAt(body, 'model'),
      system: [
        ...(typeof system === 'string' ? [system] : listAt(body, 'system').flatMap(textOf)),
        ...all.filter(isSystem).flatMap(textsOfTurn),
      ],
      turns: all.filter((one) => !isSystem(one)).map(heardTurn),
      limit: numberAt(body, 'max_tokens'),
      tools: listAt(body, 'tools').map((tool) => ({
        name: textAt(tool, 'name'),
        description: textAt(tool, 'description'),
        schema: at(tool, 'input_schema'),
      })),
      choice: choiceOfMessages(at(body, 'tool_choice')),
      param: (name) => {
        if (name === 'user') return at(body, 'metadata.user_id');
        const member = members[name];
        return member === null ? undefined : at(body, member);
      },
    };
  },

  body(say, { id, model }) {
    const blocks = [
      ...(say.text === '' ? [] : [`{"type":"text","text":${JSON.stringify(say.text)}}`]),
      ...(say.calls ?? []).map(
        (call) => `${callStart(call)},"input":${call.args === '' ? '{}' : call.args}}`,
      ),
    ];
    return (
      `{"id":${JSON.stringify(id)},"type":"message","role":"assistant","model":${JSON.stringify(model)},` +
      `"content":[${blocks.join(',')}],${endText(say)},"usage":${messagesUsage(say, say.counts.output)}}`
    );
  },

  events(say, { id, model }, _asked, size) {
    const start =
      `{"id":${JSON.stringify(id)},"type":"message","role":"assistant","model":${JSON.stringify(model)},` +
      `"content":[],"stop_reason":null,"stop_sequence":null,"usage":${messagesUsage(say, 1)}}`;
    const delta = (index: number, type: string, member: string, piece: string): string =>
      event(
        'content_block_delta',
        `"index":${index},"delta":{"type":"${type}","${member}":${JSON.stringify(piece)}}`,
      );
    const block = (index: number, opened: string, deltas: readonly string[]): string[] => [
      event('content_block_start', `"index":${index},"content_block":${opened}`),
      ...deltas,
      event('content_block_stop', `"index":${index}`),
    ];
    const first = say.text === '' ? 0 : 1;
    return [
      event('message_start', `"message":${start}`),
      'event: ping\ndata: {"type":"ping"}\n\n',
      ...(say.text === ''
        ? []
        : block(
            0,
            '{"type":"text","text":""}',
            pieces(say.text, size).map((piece) => delta(0, 'text_delta', 'text', piece)),
          )),
      ...(say.calls ?? []).flatMap((call, number) =>
        block(
          first + number,
          `${callStart(call)},"input":{}}`,
          pieces(call.args).map((piece) =>
            delta(first + number, 'input_json_delta', 'partial_json', piece),
          ),
        ),
      ),
      event(
        'message_delta',
        `"delta":{${endText(say)}},"usage":{"output_tokens":${say.counts.output}}`,
      ),
      event('message_stop', ''),
    ];
  },

  error(status, message) {
    const type = errorTypes[status] ?? 'api_error';
    return `{"type":"error","error":{"type":"${type}","message":${JSON.stringify(message)}},"request_id":"req_1"}`;
  },

  errorEvent: (message) =>
    event('error', `"error":{"type":"overloaded_error","message":${JSON.stringify(message)}}`),

  unknownEvent: 'event: some_news\ndata: {"type":"some_news","some_news":{"text":"news"}}\n\n',

  counts(usage) {
    const own = numberAt(usage, 'input_tokens');
    const cached = numberAt(usage, 'cache_read_input_tokens');
    const written = numberAt(usage, 'cache_creation_input_tokens');
    const output = numberAt(usage, 'output_tokens');
    return {
      ...(own === null ? {} : { input: own + (cached ?? 0) + (written ?? 0) }),
      ...(cached === null ? {} : { cached }),
      ...(output === null ? {} : { output }),
      total: null,
    };
  },
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function event(type: string, rest: string): string {
  return `event: ${type}\ndata: {"type":"${type}"${rest === '' ? '' : `,${rest}`}}\n\n`;
}

function endText({ end, stoppedAt }: Say): string {
  const reason = typeof end === 'string' ? ends[end] : end.native;
  const at = end === 'stop-sequence' ? JSON.stringify(stoppedAt) : 'null';
  return `"stop_reason":"${reason}","stop_sequence":${at}`;
}

function messagesUsage({ counts: { input, cached } }: Say, output: number): string {
  return (
    `{"input_tokens":${input - cached},"cache_creation_input_tokens":0,"cache_read_input_tokens":${cached},` +
    `"output_tokens":${output},"service_tier":"standard"}`
  );
}

function callStart({ id, name }: NonNullable<Say['calls']>[number]): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)}`;
}

function messageOf(turn: Turn): unknown {
  if ('results' in turn) {
    const content = turn.results.map(({ id, text }) => ({
      ...{ type: 'tool_result', tool_use_id: id },
      content: text,
    }));
    return { role: 'user', content };
  }
  if ('calls' in turn) {
    const content = turn.calls.map(({ id, name, args }) => ({
      ...{ type: 'tool_use', id, name },
      input: JSON.parse(args),
    }));
    return { role: 'assistant', content };
  }
  return { role: turn.by === 'user' ? 'user' : 'assistant', content: turn.text };
}

const textOf = (block: unknown): readonly string[] => {
  const text = textAt(block, 'text');
  return text === null ? [] : [text];
};

function textsOfTurn(message: unknown): readonly string[] {
  const content = at(message, 'content');
  return typeof content === 'string' ? [content] : listAt(message, 'content').flatMap(textOf);
}

function heardTurn(message: unknown): HeardTurn {
  const blocks = listAt(message, 'content');
  const results = blocks
    .filter((block) => at(block, 'type') === 'tool_result')
    .map((block) => ({
      id: textAt(block, 'tool_use_id'),
      text: textsOfTurn(block).join(''),
    }));
  const calls = blocks
    .filter((block) => at(block, 'type') === 'tool_use')
    .map((block) => ({
      id: textAt(block, 'id') ?? '',
      name: textAt(block, 'name') ?? '',
      args: JSON.stringify(at(block, 'input') ?? {}),
    }));
  const by = textAt(message, 'role') === 'assistant' ? 'model' : 'user';
  return {
    by: results.length > 0 ? 'results' : by,
    texts: textsOfTurn(message),
    calls,
    results,
  };
}

function messagesChoice(choice: ToolChoice): unknown {
  return typeof choice === 'object' ? { type: 'tool', ...choice } : { type: choice };
}

function choiceOfMessages(value: unknown): ToolChoice | null | undefined {
  if (value === undefined) return undefined;
  const type = isObject(value) ? textAt(value, 'type') : null;
  if (type === 'auto' || type === 'none' || type === 'any') return type;
  const name = type === 'tool' ? textAt(value, 'name') : null;
  return name === null ? null : { name };
}
