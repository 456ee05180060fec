import type { Capability, StreamingProtocol } from '../core/index.ts';
import { over } from '../core/index.ts';
import { askedValues } from './asked.ts';
import type { CallOptions } from './call.ts';
import { calledFunction } from './called-function.ts';
import { type Fields, fieldsAt, merged } from './defaults.ts';
import type { SaidTurn } from './module.ts';
import { protocolModules } from './modules.ts';

// Features of a generation request that any two of can meet. Each protocol says in `forms` how its requests have
// the features that the protocols write differently.

interface FeaturedRequest {
  readonly told: string | null;
  /** Turns before the last text. */
  readonly turns: readonly SaidTurn[];
  readonly last: string;
  /** True if the last text asks for a call. */
  readonly asksForCall: boolean;
  /** Number of calls of the model after the last text, each with its result. */
  readonly results: number;
  readonly limit: number;
  readonly fields: Fields;
  readonly as: CallOptions;
}

interface FeatureMaterial {
  /** An instruction, a turn of the user and its answer. */
  readonly system: string;
  readonly firstTurn: string;
  readonly firstAnswer: string;
  /** A question that makes a model call the function. */
  readonly callQuestion: string;
  /** A word that the answer shows. */
  readonly subject: string;
  /** A prompt for a text far beyond the lowest limit, and that limit. */
  readonly longQuestion: string;
  readonly lowLimit: number;
  /** Limit with room for calls and thoughts. */
  readonly ampleLimit: number;
  readonly otherRegion: string | null;
}

interface RequestFeature {
  /** Null: the protocol documents no form. Undeclared ones are tried without a promise. */
  needs(protocol: StreamingProtocol): readonly Capability[] | null;
  put(
    request: FeaturedRequest,
    protocol: StreamingProtocol,
    material: FeatureMaterial,
  ): FeaturedRequest;
}

interface FeatureForms {
  /** Members that make the model think, if the protocol documents them. */
  readonly thinking: Fields;
  /** Members that name or mark a prefix for the prompt cache. Null: the protocol has none. */
  readonly cached: Fields | null;
  /** Members that forbid several calls at once. */
  readonly oneCall: Fields;
  /** Tokens of the limit that thoughts have for themselves. */
  readonly thoughts: number;
  /** Entries of a conversation with calls of the function, each with its result. */
  results(count: number): readonly unknown[];
}

const callArguments = { city: 'Paris', terms: calledFunction.terms };
const callName = calledFunction.definition.name;
const callIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `call_${'touchstone'.repeat(2)}${n + 1}`);
const resultOf = (n: number): string => `It is ${18 + n} degrees warm, and there is no wind.`;

const forms: Readonly<Record<StreamingProtocol, FeatureForms>> = {
  responses: {
    thinking: { reasoning: { effort: 'low', summary: 'auto' } },
    cached: { prompt_cache_key: 'touchstone' },
    oneCall: { parallel_tool_calls: false },
    thoughts: 0,
    results: (count) => {
      const ids = callIds(count);
      return [
        ...ids.map((id) => ({
          ...{ type: 'function_call', call_id: id, name: callName },
          arguments: JSON.stringify(callArguments),
        })),
        ...ids.map((id, n) => ({ type: 'function_call_output', call_id: id, output: resultOf(n) })),
      ];
    },
  },
  'chat-completions': {
    thinking: { reasoning_effort: 'low' },
    cached: { prompt_cache_key: 'touchstone' },
    oneCall: { parallel_tool_calls: false },
    thoughts: 0,
    results: (count) => {
      const ids = callIds(count);
      const call = { name: callName, arguments: JSON.stringify(callArguments) };
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: ids.map((id) => ({ id, type: 'function', function: call })),
        },
        ...ids.map((id, n) => ({ role: 'tool', tool_call_id: id, content: resultOf(n) })),
      ];
    },
  },
  messages: {
    thinking: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    cached: { cache_control: { type: 'ephemeral' } },
    oneCall: {},
    thoughts: 1024,
    results: (count) => {
      const ids = callIds(count);
      return [
        {
          role: 'assistant',
          content: ids.map((id) => ({
            type: 'tool_use',
            id,
            name: callName,
            input: callArguments,
          })),
        },
        {
          role: 'user',
          content: ids.map((id, n) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: resultOf(n),
          })),
        },
      ];
    },
  },
  generative: {
    thinking: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    cached: null,
    oneCall: {},
    thoughts: 0,
    results: (count) => {
      const ids = callIds(count);
      return [
        {
          role: 'model',
          parts: ids.map(() => ({ functionCall: { name: callName, args: callArguments } })),
        },
        {
          role: 'user',
          parts: ids.map((_, n) => ({
            functionResponse: { name: callName, response: { result: resultOf(n) } },
          })),
        },
      ];
    },
  },
};

/** Gothic letters, which UTF-16 writes as pairs, and an emoji. */
const beyondBasicPlane = '𐌰𐌹𐌽𐍃 🦊';

function withFields(request: FeaturedRequest, fields: Fields): FeaturedRequest {
  return { ...request, fields: merged(request.fields, fields) };
}

function withTools(
  how: 'requiredCall' | 'forbiddenCall' | 'offered',
  more: (protocol: StreamingProtocol) => Fields = () => ({}),
): RequestFeature {
  return {
    needs: () => ['tools'],
    put: (request, protocol, { callQuestion, ampleLimit: limit }) => {
      const fields = protocolModules[protocol].tools[how](limit, callQuestion);
      const asking = withFields(request, merged(fields, more(protocol)));
      return { ...asking, limit, last: callQuestion, asksForCall: true };
    },
  };
}

function withResults(count: number): RequestFeature {
  const offered = withTools('offered', (protocol) => (count === 1 ? forms[protocol].oneCall : {}));
  return {
    needs: offered.needs,
    put: (request, protocol, material) => ({
      ...offered.put(request, protocol, material),
      results: count,
    }),
  };
}

/** Puts a text of a size before the last turn: into the instructions, if there are any. */
function ofSize(bytes: number): RequestFeature {
  return {
    needs: () => [],
    put: (request, _, { firstTurn }) => {
      const filler = `${firstTurn} `.repeat(Math.ceil(bytes / firstTurn.length));
      return request.told === null
        ? { ...request, last: `${filler}\n${request.last}` }
        : { ...request, told: `${request.told} ${filler}` };
    },
  };
}

const always = (): readonly Capability[] => [];

/** Every choice of a request, with its values in the order in which they are put. The plain value puts nothing. */
export const featureChoices: Readonly<Record<string, Readonly<Record<string, RequestFeature>>>> = {
  system: {
    told: { needs: always, put: (request, _, { system }) => ({ ...request, told: system }) },
  },
  turns: {
    several: {
      needs: always,
      put: (request, _, { firstTurn, firstAnswer }) => ({
        ...request,
        turns: [
          { by: 'user', texts: [firstTurn] },
          { by: 'model', texts: [firstAnswer] },
        ],
      }),
    },
  },
  stop: { set: asking('stop', () => askedValues.prompt(['stop'])) },
  output: {
    structured: asking('structured_output', ({ subject }) =>
      askedValues.prompt(['structured_output'], subject),
    ),
  },
  tools: {
    forced: withTools('requiredCall'),
    forbidden: withTools('forbiddenCall'),
    result: withResults(1),
    results: withResults(2),
  },
  limit: {
    hit: {
      needs: always,
      put: (request, _, { longQuestion, lowLimit: limit }) => ({
        ...request,
        // A text about results can come to the limit, too.
        ...{
          limit,
          last: request.asksForCall && request.results === 0 ? request.last : longQuestion,
        },
      }),
    },
  },
  thinking: {
    asked: {
      needs: always,
      put: (request, protocol) => ({
        ...withFields(request, forms[protocol].thinking),
        limit: request.limit + forms[protocol].thoughts,
      }),
    },
  },
  prefix: {
    cached: {
      needs: (protocol) => (forms[protocol].cached === null ? null : []),
      put: (request, protocol) => withFields(request, forms[protocol].cached ?? {}),
    },
  },
  usage: {
    asked: {
      needs: (protocol) => {
        const asking = protocolModules[protocol].stream.askingForUsage;
        return Object.keys(asking).length === 0 ? null : [];
      },
      put: (request, protocol) =>
        withFields(request, protocolModules[protocol].stream.askingForUsage),
    },
  },
  letters: {
    beyond: {
      needs: always,
      put: (request) => ({ ...request, last: `${request.last} Say ${beyondBasicPlane}, too.` }),
    },
  },
  size: { '8-kb': ofSize(8_192), '64-kb': ofSize(65_536) },
  coding: {
    // Every ordinary request accepts gzip, as its usual client does.
    br: {
      needs: always,
      put: (request) => ({ ...request, as: { ...request.as, acceptEncoding: 'br' } }),
    },
  },
  connection: { kept: { needs: always, put: (request) => request } },
  user: {
    other: {
      needs: always,
      put: (request) => ({ ...request, as: { ...request.as, key: 'otherUser' } }),
    },
  },
  region: {
    other: {
      needs: always,
      put: (request, _, { otherRegion }) =>
        otherRegion === null ? request : { ...request, as: { ...request.as, region: otherRegion } },
    },
  },
};

function asking(
  ask: 'stop' | 'structured_output',
  text: (material: FeatureMaterial) => string,
): RequestFeature {
  const fieldsOf = (protocol: StreamingProtocol) => protocolModules[protocol].asking.fields[ask];
  return {
    needs: (protocol) => (fieldsOf(protocol) === null ? null : [over(ask, protocol)]),
    put: (request, protocol, material) => {
      const last = text(material);
      const limit = material.ampleLimit;
      return { ...withFields(request, fieldsOf(protocol)?.(last) ?? {}), last, limit };
    },
  };
}

export const featureModes: Readonly<
  Record<StreamingProtocol, Readonly<Record<string, readonly Capability[]>>>
> = {
  responses: { body: [], stream: [over('stream', 'responses')] },
  'chat-completions': { body: [], stream: [over('stream', 'chat-completions')] },
  messages: { body: [], stream: [over('stream', 'messages')] },
  generative: { body: [], stream: [over('stream', 'generative')] },
};

type FeatureValue = readonly [choice: string, value: string];

/** Values that cannot meet in a request, or of which one hides what becomes of the other, with the reason. */
const apart: readonly (readonly [protocol: string, one: string, other: string, why: string])[] = [
  ['messages', 'thinking=asked', 'tools=forced', 'no call can be forced on a model that thinks'],
  ['messages', 'thinking=asked', 'tools=result', 'a call goes back with the thought before it'],
  ['messages', 'thinking=asked', 'tools=results', 'a call goes back with the thought before it'],
  [
    'messages',
    'thinking=asked',
    'limit=hit',
    'the limit has to be above the budget of the thoughts',
  ],
  ['generative', 'output=structured', 'tools', 'a JSON answer excludes functions'],
  ['any', 'mode=body', 'usage=asked', 'only a stream is asked for its usage'],
  ['any', 'output=structured', 'tools=forced', 'a call takes the place of the text'],
  ['any', 'output=structured', 'stop=set', 'a stop sequence may stand within a value'],
  ['any', 'output=structured', 'limit=hit', 'a text that is cut is no JSON'],
  ['any', 'tools=forced', 'limit=hit', 'an answer may be cut before its call'],
  ['any', 'tools=forbidden', 'limit=hit', 'an answer may be cut before its call'],
];

/** Returns the reason why two values cannot meet in a request of a protocol, or null. */
export function keptApart(
  protocol: StreamingProtocol,
  one: FeatureValue,
  other: FeatureValue,
): string | null {
  const is = ([choice, value]: FeatureValue, named: string): boolean =>
    named === choice || named === `${choice}=${value}`;
  const rule = apart.find(
    ([named, first, second]) =>
      (named === 'any' || named === protocol) &&
      ((is(one, first) && is(other, second)) || (is(one, second) && is(other, first))),
  );
  return rule?.[3] ?? null;
}

/** Puts chosen features into a request, in the order of the choices. Its body does not name the model yet. */
export function featuredRequest(
  chosen: Readonly<Record<string, string>>,
  protocol: StreamingProtocol,
  last: string,
  material: FeatureMaterial,
): FeaturedRequest & { readonly body: Fields } {
  let request: FeaturedRequest = {
    ...{ told: null, turns: [], last, asksForCall: false, results: 0, as: {} },
    ...{ limit: material.lowLimit, fields: {} },
  };
  for (const [choice, values] of Object.entries(featureChoices)) {
    request = values[chosen[choice] ?? '']?.put(request, protocol, material) ?? request;
  }
  return { ...request, body: bodyOf(request, protocol) };
}

function bodyOf(request: FeaturedRequest, protocol: StreamingProtocol): Fields {
  const { conversation, text, outputLimit } = protocolModules[protocol].request;
  const { told, turns, last, results, limit, fields } = request;
  const said = [...turns, { by: 'user', texts: [last] } as const];
  const body = told === null ? conversation(said) : conversation(said, told);
  const list = body[text];
  const entries = Array.isArray(list) ? list : [];
  return merged(fields, body, fieldsAt(outputLimit, limit), {
    [text]: [...entries, ...(results === 0 ? [] : forms[protocol].results(results))],
  });
}
