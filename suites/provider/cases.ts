import {
  type Case,
  counts,
  ends,
  joinedScenario,
  type Making,
  plain,
} from '../../harness/features/provider/index.ts';
import { contentOf } from '../../harness/index.ts';

/** Letters that are easily changed: composed and decomposed, CR LF, blanks at the ends, JSON, beyond the basic plane. */
const letters =
  '  caf\u00e9 cafe\u0301 \u{1f9ea}\u{1f469}\u200d\u{1f680} "quoted" {"a": [1.0]} back\\slash\r\nnext\tline \u00a0\u2028 end  ';

const both = ['body', 'stream'] as const;

/** A conversation of five turns with a system text, and an answer with the same hard letters. */
export const conversation = joinedScenario('provider/conversation', ({ word }) => [
  {
    name: 'conversation',
    ask: {
      system: `You answer about ${word} only.${letters}`,
      turns: [
        { by: 'user', text: `first${letters}` },
        { by: 'model', text: `second${letters}` },
        { by: 'user', text: `third ${word}` },
        { by: 'model', text: `fourth ${word}` },
        { by: 'user', text: `fifth${letters}` },
      ],
      limit: 77,
    },
    script: {
      say: { text: `An answer about ${word}.${letters}`.repeat(3), end: 'end', counts },
      headers: {
        'set-cookie': `session=${word}; Path=/`,
        'x-internal-host': `node-${word}.internal`,
      },
    },
    forms: both,
    // A stream of Chat Completions tells its usage to those who ask for it.
    more: ({ front }, form) =>
      front === 'chat-completions' && form === 'stream'
        ? { stream_options: { include_usage: true } }
        : {},
    headers: { cookie: `visit=${word}` },
    quietMs: 300,
  },
]);

/** Odd values of each parameter, and the members of a request that carry no answer of their own. */
const parameterValues = {
  stop: (word: string) => [`end-of-${word}`],
  temperature: () => 0.37,
  'top-p': () => 0.83,
  'top-k': () => 41,
  seed: () => 7_919,
  penalties: () => 0.29,
  user: (word: string) => `user-${word}`,
} as const;

export const parameters = joinedScenario('provider/parameters', (making) =>
  Object.entries(parameterValues).map(([name, make]) => {
    const { ask, script } = plain(making);
    return {
      ...{ name, script, forms: ['body'] },
      ask: { ...ask, params: { [name]: make(making.word) } },
    } as const;
  }),
);

/** Three tools, one of them with a schema that has most keywords. */
const tools = [
  {
    name: 'look_up',
    description: 'Looks a word up in a dictionary, "exactly".',
    schema: {
      type: 'object',
      properties: {
        word: { type: 'string', description: 'The word.' },
        limits: { type: 'array', items: { type: 'number', minimum: 0.5 } },
        kind: { enum: ['noun', 'verb'] },
        nested: { type: 'object', properties: { deep: { type: ['string', 'null'] } } },
      },
      required: ['word'],
      additionalProperties: false,
    },
  },
  {
    name: 'count_letters',
    description: 'Counts letters.',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'now',
    description: 'Tells the time.',
    schema: { type: 'object', properties: {} },
  },
] as const;

const hardArguments = '{"b": 1.0,"a":"\\u00e9","n":12345678,"z":[1e3], "s":"x\\ny"}';

function toolAsk({ word }: Making): Case['ask'] {
  return {
    turns: [{ by: 'user', text: `Use the tools for ${word}.` }],
    limit: 77,
    tools,
  };
}

/** Tools are offered, and the provider answers with three parallel calls. */
export const calls = joinedScenario('provider/calls', (making) => [
  {
    name: 'calls',
    ask: toolAsk(making),
    script: {
      say: {
        text: '',
        calls: [
          { id: 'call_a', name: 'look_up', args: hardArguments },
          { id: 'call_b', name: 'count_letters', args: `{"text":"${making.word}"}` },
          { id: 'call_c', name: 'look_up', args: '{"word":"other","limits":[0.5,2]}' },
        ],
        end: 'calls',
        counts,
      },
    },
    forms: both,
  },
]);

/** The results of these calls, under the ids that the gateway told its client. */
export const results = joinedScenario(
  'provider/results',
  (making) => {
    const before = making.before.find(({ form }) => form === 'body');
    const told = before === undefined ? [] : contentOf(before.front).toolCalls;
    const made = told.map(({ id, name }) => ({ id: id ?? '', name: name ?? '', args: '{}' }));
    const { ask, script } = plain(making);
    return [
      {
        ...{ name: 'results', script, before, forms: ['body'] },
        ask: {
          ...ask,
          tools,
          turns:
            made.length === 0
              ? ask.turns
              : [
                  ...ask.turns,
                  { by: 'model', calls: made },
                  { by: 'results', results: made.map(({ id }) => ({ id, text: `of ${id}` })) },
                ],
        },
      },
    ];
  },
  calls,
);

/** A number that no double holds, in the arguments of a call. */
export const digits = joinedScenario('provider/digits', (making) => [
  {
    name: 'digits',
    ask: toolAsk(making),
    script: {
      say: {
        text: '',
        calls: [
          { id: 'call_a', name: 'look_up', args: '{"word":"w","limits":[12345678901234567890]}' },
        ],
        end: 'calls',
        counts,
      },
    },
    forms: both,
  },
]);

/** A call without arguments. */
export const noArguments = joinedScenario('provider/no-arguments', (making) => [
  {
    name: 'no-arguments',
    ask: toolAsk(making),
    script: {
      say: { text: '', calls: [{ id: 'call_a', name: 'now', args: '' }], end: 'calls', counts },
    },
    forms: both,
  },
]);

export const choices = joinedScenario('provider/choices', (making) =>
  (['auto', 'none', 'any', 'named'] as const).map((name) => {
    const { script } = plain(making);
    const choice = name === 'named' ? { name: 'count_letters' } : name;
    return { ...{ name, script, forms: ['body'] }, ask: { ...toolAsk(making), choice } } as const;
  }),
);

/** Two earlier calls with their results, the second of which came first. */
export const history = joinedScenario('provider/history', (making) => {
  const { word } = making;
  const earlier = [
    { id: `one_${word}`, name: 'look_up', args: '{"word":"first"}' },
    { id: `two_${word}`, name: 'count_letters', args: '{"text":"second"}' },
  ];
  const { ask, script } = plain(making);
  return [
    {
      ...{ name: 'history', script, forms: ['body'] },
      ask: {
        ...ask,
        tools,
        turns: [
          ...ask.turns,
          { by: 'model', calls: earlier },
          {
            by: 'results',
            results: earlier.map(({ id }, index) => ({ id, text: `result ${index}${letters}` })),
          },
        ],
      },
    },
  ];
});

/** An answer with each end. */
export const endings = joinedScenario('provider/endings', (making) =>
  ends.map((end) => {
    const { ask } = plain(making);
    const stoppedAt = `end-of-${making.word}`;
    const call = [{ id: 'call_a', name: 'now', args: '{}' }];
    return {
      name: end,
      ask: {
        ...ask,
        ...(end === 'stop-sequence' ? { params: { stop: [stoppedAt] } } : {}),
        ...(end === 'calls' ? { tools } : {}),
      },
      script: {
        say: {
          ...{ text: `It ends about ${making.word}.`, end, counts },
          ...(end === 'stop-sequence' ? { stoppedAt } : {}),
          ...(end === 'calls' ? { calls: call } : {}),
        },
      },
      forms: both,
    } as const;
  }),
);

const pauses = {
  'pause-turn': 'pause_turn',
  'context-window': 'model_context_window_exceeded',
} as const;

/** Ends of Messages that are no natural ones. */
export const unnaturalEnds = joinedScenario('provider/unnatural-ends', (making) =>
  making.route.asks !== 'messages'
    ? []
    : Object.entries(pauses).map(([name, native]) => {
        const { ask, script } = plain(making);
        return {
          ...{ name, ask, forms: both },
          script: { say: { ...script.say, end: { native } } },
        } as const;
      }),
);

/** Statuses with which a provider refuses. */
const statuses = [400, 401, 403, 404, 413, 429, 500, 503, 504, 529] as const;

export const refusals = joinedScenario('provider/refusals', (making) =>
  statuses.map((status) => {
    const { ask, script } = plain(making);
    const act = {
      kind: 'refuses',
      status,
      ...(status === 429 ? { retryAfter: '17' } : {}),
      ...(status === 401 ? { quotesKey: true as const } : {}),
    } as const;
    return { name: `${status}`, ask, script: { ...script, act }, forms: both } as const;
  }),
);

const noAnswers = ['error-body', 'empty', 'half-json', 'page', 'other-json'] as const;

export const falseAnswers = joinedScenario('provider/false-answers', (making) =>
  noAnswers.map((body) => {
    const { ask, script } = plain(making);
    const act = { kind: 'false-200', body } as const;
    return { name: body, ask, script: { ...script, act }, forms: ['body'] } as const;
  }),
);

/** Events of a stream before it breaks: enough to have some text, and not the end. */
const someEvents = 5;

export const errorInStream = joinedScenario('provider/error-in-stream', (making) => {
  const { ask, script } = plain(making);
  const act = { kind: 'error-event', after: someEvents } as const;
  return [{ name: 'error-in-stream', ask, script: { ...script, act }, forms: ['stream'] }];
});

export const broken = joinedScenario('provider/broken', (making) =>
  (['cut', 'clean-end', 'half-event', 'cut-body'] as const).map((how) => {
    const { ask, script } = plain(making);
    const act = { kind: 'breaks', how, after: someEvents } as const;
    const form = how === 'cut-body' ? 'body' : 'stream';
    return { name: how, ask, script: { ...script, act }, forms: [form] } as const;
  }),
);

/** Letters of the text that comes as one event: more than a read from a socket has. */
const bigText = 300_000;

export const framed = joinedScenario('provider/framed', (making) =>
  (
    [
      'bytes',
      'one-write',
      'crlf',
      'no-space',
      'comments',
      'big-event',
      ...(making.route.asks === 'messages' ? (['unknown-event'] as const) : []),
    ] as const
  ).map((framing) => {
    const { ask } = plain(making);
    const text = `About ${making.word}:${letters}`;
    const times = framing === 'big-event' ? Math.ceil(bigText / text.length) : 1;
    const act = { kind: 'framed', framing } as const;
    return {
      ...{ name: framing, ask, forms: ['stream'] },
      script: { say: { text: text.repeat(times), end: 'end', counts }, act },
    } as const;
  }),
);

/** The client leaves a stream after three events, and the provider goes on for more than four seconds. */
export const left = joinedScenario('provider/left', (making) => {
  const { ask, script } = plain(making);
  return [
    {
      ...{ name: 'left', ask, forms: ['stream'], cut: { events: 3 } },
      script: { ...script, act: { kind: 'slow', everyMs: 20 } },
    },
  ];
});
