import { at, isObject, listAt, numberAt, textAt } from '../../kernel/core/index.ts';
import type { HeardRequest, HeardTurn, Played, Say, ToolChoice, Turn } from './ask.ts';
import { pieces } from './ask.ts';

const ends = {
  end: 'stop',
  limit: 'length',
  calls: 'tool_calls',
  filter: 'content_filter',
  'stop-sequence': 'stop',
} as const;

const members = {
  stop: 'stop',
  temperature: 'temperature',
  'top-p': 'top_p',
  'top-k': null,
  seed: 'seed',
  penalties: 'presence_penalty',
  user: 'user',
} as const;

/** Chat Completions, as its provider and its clients write and read it. */
export const chat: Played = {
  ends,
  members,

  request({ turns, system, limit, params = {}, tools, choice }) {
    return {
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...turns.flatMap(messagesOf),
      ],
      max_completion_tokens: limit,
      ...Object.fromEntries(
        Object.entries(members).flatMap(([name, member]) => {
          const value = Object.entries(params).find(([one]) => one === name)?.[1];
          return value === undefined || member === null ? [] : [[member, value]];
        }),
      ),
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              type: 'function',
              function: { name, description, parameters: schema },
            })),
          }),
      ...(choice === undefined ? {} : { tool_choice: nativeChoice(choice) }),
    };
  },

  heard(body): HeardRequest {
    const messages = listAt(body, 'messages');
    const isSystem = (one: unknown): boolean =>
      ['system', 'developer'].includes(textAt(one, 'role') ?? '');
    return {
      model: textAt(body, 'model'),
      system: messages.filter(isSystem).flatMap(textsIn),
      turns: messages.filter((one) => !isSystem(one)).map(turnOf),
      limit: numberAt(body, 'max_completion_tokens') ?? numberAt(body, 'max_tokens'),
      tools: listAt(body, 'tools').map((tool) => ({
        name: textAt(tool, 'function.name'),
        description: textAt(tool, 'function.description'),
        schema: at(tool, 'function.parameters'),
      })),
      choice: choiceIn(at(body, 'tool_choice')),
      param: (name) => {
        const member = members[name];
        if (name === 'user') return at(body, 'user') ?? at(body, 'safety_identifier');
        return member === null ? undefined : at(body, member);
      },
    };
  },

  body(say, { id, model }) {
    const calls = (say.calls ?? []).map(callText).join(',');
    const content = say.text === '' && calls !== '' ? 'null' : JSON.stringify(say.text);
    const message =
      `{"role":"assistant","content":${content},"refusal":null,"annotations":[]` +
      `${calls === '' ? '' : `,"tool_calls":[${calls}]`}}`;
    return (
      `{"id":${JSON.stringify(id)},"object":"chat.completion","created":${created},"model":${JSON.stringify(model)},` +
      `"choices":[{"index":0,"message":${message},"logprobs":null,"finish_reason":"${endOf(say)}"}],` +
      `"usage":${usageText(say)},"service_tier":"default"}`
    );
  },

  events(say, { id, model }, asked, size) {
    const usage = at(asked, 'stream_options.include_usage') === true;
    const chunk = (choices: string, counts = 'null'): string =>
      `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},` +
      `"model":${JSON.stringify(model)},"choices":[${choices}]${usage ? `,"usage":${counts}` : ''}}\n\n`;
    const delta = (text: string, end = 'null'): string =>
      chunk(`{"index":0,"delta":${text},"logprobs":null,"finish_reason":${end}}`);
    return [
      delta('{"role":"assistant","content":"","refusal":null}'),
      ...pieces(say.text, size).map((piece) => delta(`{"content":${JSON.stringify(piece)}}`)),
      ...callDeltas(say).map((fragment) => delta(fragment)),
      delta('{}', `"${endOf(say)}"`),
      ...(usage ? [chunk('', usageText(say))] : []),
      'data: [DONE]\n\n',
    ];
  },

  error(status, message) {
    const [type, code] = errorTypes[status] ?? ['server_error', null];
    return `{"error":{"message":${JSON.stringify(message)},"type":"${type}","param":null,"code":${JSON.stringify(code)}}}`;
  },

  errorEvent: (message) =>
    `data: {"error":{"message":${JSON.stringify(message)},"type":"server_error","param":null,"code":null}}\n\n`,

  unknownEvent: '',

  counts(usage) {
    const input = numberAt(usage, 'prompt_tokens');
    const output = numberAt(usage, 'completion_tokens');
    const cached = numberAt(usage, 'prompt_tokens_details.cached_tokens');
    return {
      ...(input === null ? {} : { input }),
      ...(output === null ? {} : { output }),
      ...(cached === null ? {} : { cached }),
      total: numberAt(usage, 'total_tokens'),
    };
  },
};

/** Seconds since 1970 in every answer. It is fixed, so that an answer follows from its scenario alone. */
const created = 1_764_000_000;

const errorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'unsupported_country_region_territory'],
  404: ['invalid_request_error', 'model_not_found'],
  413: ['invalid_request_error', null],
  429: ['requests', 'rate_limit_exceeded'],
};

function endOf({ end }: Say): string {
  return typeof end === 'string' ? ends[end] : end.native;
}

function usageText({ counts: { input, cached, output } }: Say): string {
  return (
    `{"prompt_tokens":${input},"completion_tokens":${output},"total_tokens":${input + output},` +
    `"prompt_tokens_details":{"cached_tokens":${cached},"audio_tokens":0},` +
    '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,' +
    '"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}'
  );
}

function callText({ id, name, args }: NonNullable<Say['calls']>[number]): string {
  return `{"id":${JSON.stringify(id)},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(args)}}}`;
}

/** Fragments of parallel calls, one of each call in turn. */
function callDeltas({ calls = [] }: Say): readonly string[] {
  const starts = calls.map(
    ({ id, name }, index) =>
      `{"tool_calls":[{"index":${index},"id":${JSON.stringify(id)},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":""}}]}`,
  );
  const rest = calls.map(({ args }, index) =>
    pieces(args).map(
      (piece) =>
        `{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(piece)}}}]}`,
    ),
  );
  const rounds = Math.max(0, ...rest.map(({ length }) => length));
  return [
    ...starts,
    ...Array.from({ length: rounds }, (_, round) => rest.flatMap((own) => own[round] ?? [])).flat(),
  ];
}

function messagesOf(turn: Turn): readonly unknown[] {
  if ('results' in turn) {
    return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  }
  if ('calls' in turn) {
    const calls = turn.calls.map(({ id, name, args }) => ({
      ...{ id, type: 'function' },
      function: { name, arguments: args },
    }));
    return [{ role: 'assistant', content: null, tool_calls: calls }];
  }
  return [{ role: turn.by === 'user' ? 'user' : 'assistant', content: turn.text }];
}

function textsIn(message: unknown): readonly string[] {
  const content = at(message, 'content');
  if (typeof content === 'string') return [content];
  return listAt(message, 'content').flatMap((part) => textAt(part, 'text') ?? []);
}

function turnOf(message: unknown): HeardTurn {
  const role = textAt(message, 'role');
  const texts = textsIn(message);
  if (role === 'tool') {
    const result = { id: textAt(message, 'tool_call_id'), text: texts.join('') };
    return { by: 'results', texts: [], calls: [], results: [result] };
  }
  const calls = listAt(message, 'tool_calls').map((call) => ({
    id: textAt(call, 'id') ?? '',
    name: textAt(call, 'function.name') ?? '',
    args: textAt(call, 'function.arguments') ?? '',
  }));
  return { by: role === 'assistant' ? 'model' : 'user', texts, calls, results: [] };
}

function nativeChoice(choice: ToolChoice): unknown {
  if (typeof choice === 'object') return { type: 'function', function: choice };
  return choice === 'any' ? 'required' : choice;
}

function choiceIn(value: unknown): ToolChoice | null | undefined {
  if (value === undefined) return undefined;
  if (value === 'auto' || value === 'none') return value;
  if (value === 'required') return 'any';
  const name = isObject(value) ? textAt(value, 'function.name') : null;
  return name === null ? null : { name };
}
