import type {
  Answer,
  Call,
  Defect,
  DialectName,
  JsonObject,
  Key,
  Operation,
} from '../../../reference/index.ts';
import { counting, forgiving, limited } from '../../decisions.ts';
import { changed, memberAt, set } from '../../editing.ts';
import {
  bodies,
  eachData,
  eachEvent,
  handling,
  type Override,
  responseAt,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Faults that are equal on several protocols.

const conversing = [
  { protocol: 'chat-completions', operation: 'chat-completions.create', member: 'messages' },
  { protocol: 'messages', operation: 'messages.create', member: 'messages' },
  { protocol: 'generative', operation: 'generative.generate', member: 'contents' },
] as const;

const isOver =
  (dialect: DialectName) =>
  (call: Call): boolean =>
    call.dialect.name === dialect;

const streaming: readonly DialectName[] = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
];

/** Ignores the limit of each turn after the first of a connection. */
function limitedOnce(): Override {
  const begun = new WeakSet<object>();
  return limited(
    ({ operation, headers }) => {
      if (operation !== 'responses.websocket') return false;
      const isLater = begun.has(headers);
      begun.add(headers);
      return isLater;
    },
    () => null,
  );
}

// Faults that leave answers in one JSON body intact, and show only in another mode.

type Change = (answer: JsonObject) => JsonObject;

/** A generation mode, and the parts of its answers that a fault can change. */
interface Mode {
  readonly name: string;
  readonly fits: (call: Call) => boolean;
  /** Rewrites the answer: a whole response, or the data of an event. */
  readonly answers: (change: Change) => Override;
  /** Marks the answer as not truncated. */
  readonly asWhole: Change;
  /** Path of the total of the usage, or null without one; the next members are those of the input and output counts. */
  readonly total: string | null;
  readonly input: string;
  readonly output: string;
}

const response = {
  total: 'usage.total_tokens',
  input: 'usage.input_tokens',
  output: 'usage.output_tokens',
  asWhole: (body: JsonObject): JsonObject =>
    body.status === 'incomplete'
      ? { ...body, status: 'completed', incomplete_details: null }
      : body,
};

/** Rewrites the response in each event that has one, and renames the event to match its status. */
function responseEvents(fits: (call: Call) => boolean): Mode['answers'] {
  return (change) =>
    eachEvent('responses', ({ call }) => (event) => {
      const { data } = event;
      if (!fits(call) || typeof data === 'string') return event;
      const next = changed(data, 'response', (old) => change(Object(old)));
      const name = `response.${memberAt(next, 'response.status')}`;
      const ends = data.type === 'response.incomplete';
      if (memberAt(data, 'response') === undefined) return event;
      return ends ? { name, data: set(next, 'type', name) } : { ...event, data: next };
    });
}

const isPlainStream = ({ operation, body }: Call): boolean =>
  operation === 'responses.create' && body.stream === true && body.background !== true;
const isSocket = ({ operation }: Call): boolean => operation === 'responses.websocket';
const isBackground = ({ body }: Call): boolean => body.background === true;
const isContinuation = ({ operation, body }: Call): boolean =>
  operation === 'responses.create' && typeof body.previous_response_id === 'string';

function streamed(dialect: DialectName, reason: string, whole: readonly [string, string]) {
  const [cut, complete] = whole;
  return {
    name: `${dialect}-stream`,
    fits: ({ dialect: asked, body, operation }: Call) =>
      asked.name === dialect && (body.stream === true || operation === 'generative.stream'),
    answers: (change: Change) => eachData(dialect, change),
    asWhole: (data: JsonObject) =>
      memberAt(data, reason) === cut ? set(data, reason, complete) : data,
  };
}

const modes: readonly Mode[] = [
  {
    name: 'responses-stream',
    fits: isPlainStream,
    answers: responseEvents(isPlainStream),
    ...response,
  },
  {
    ...streamed('chat-completions', 'choices.0.finish_reason', ['length', 'stop']),
    total: 'usage.total_tokens',
    input: 'usage.prompt_tokens',
    output: 'usage.completion_tokens',
  },
  {
    ...streamed('messages', 'delta.stop_reason', ['max_tokens', 'end_turn']),
    total: null,
    input: 'usage.input_tokens',
    output: 'usage.output_tokens',
  },
  {
    ...streamed('generative', 'candidates.0.finishReason', ['MAX_TOKENS', 'STOP']),
    total: 'usageMetadata.totalTokenCount',
    input: 'usageMetadata.promptTokenCount',
    output: 'usageMetadata.candidatesTokenCount',
  },
  { name: 'websocket', fits: isSocket, answers: responseEvents(isSocket), ...response },
  {
    name: 'background',
    fits: isBackground,
    answers: (change) => responseAt(['responses.lookup'], 'background', change),
    ...response,
  },
  {
    name: 'continuation',
    fits: isContinuation,
    answers: (change) =>
      bodies('responses.response', (body, { call }) =>
        isContinuation(call) ? change(body) : body,
      ),
    ...response,
  },
];

/** Other forms of a generative-content request. */
const generativeForms: readonly Mode[] = [
  generativeMode(
    'alternate-path',
    ({ operation, path }) => operation === 'generative.generate' && path.startsWith('/v1/'),
  ),
  {
    ...generativeMode(
      'alternate-path-stream',
      ({ operation, path }) => operation === 'generative.stream' && path.startsWith('/v1/'),
    ),
    answers: (change) =>
      eachData('generative', (data, _index, { call }) =>
        call.path.startsWith('/v1/') ? change(data) : data,
      ),
  },
  generativeMode('snake-case', ({ body }) => body.generation_config !== undefined),
];

function generativeMode(name: string, fits: (call: Call) => boolean): Mode {
  return {
    ...streamed('generative', 'candidates.0.finishReason', ['MAX_TOKENS', 'STOP']),
    name,
    fits,
    answers: (change) =>
      bodies('generative.response', (body, { call }) => (fits(call) ? change(body) : body)),
    total: 'usageMetadata.totalTokenCount',
    input: 'usageMetadata.promptTokenCount',
    output: 'usageMetadata.candidatesTokenCount',
  };
}

/** Names of the modes, and predicates for their calls. */
export const generationModes: readonly Pick<Mode, 'name' | 'fits'>[] = modes;

/** Answers in one JSON body to a request that belongs to none of the modes. */
const bodyModes = (
  [
    ['responses', 'responses.create', 'responses.response'],
    ['chat-completions', 'chat-completions.create', 'chat-completions.completion'],
    ['messages', 'messages.create', 'messages.message'],
    ['generative', 'generative.generate', 'generative.response'],
  ] as const
).map(([name, operation, kind]) => ({
  name,
  counts: modes.find((one) => one.name === `${name}-stream`) ?? response,
  answers: (change: Change) =>
    bodies(kind, (body, { call }) => {
      const isOne = call.operation === operation && !isBackground(call) && !isContinuation(call);
      return isOne ? change(body) : body;
    }),
}));

const everyMode = [...modes, ...generativeForms];

function inputTimes(
  factor: number,
  { input, total }: Pick<Mode, 'input' | 'total'>,
  answers: Mode['answers'],
): Defect['override'] {
  return answers((answer) =>
    [input, `message.${input}`].reduce((body, path) => {
      const count = memberAt(body, path);
      if (typeof count !== 'number') return body;
      const more = (factor - 1) * count;
      return set(counted(body, total, more), path, factor * count);
    }, answer),
  );
}

/** Adds tokens to a count, if there is one. */
function counted(answer: JsonObject, path: string | null, more: number): JsonObject {
  if (path === null) return answer;
  const count = memberAt(answer, path);
  return typeof count === 'number' ? set(answer, path, count + more) : answer;
}

// Cached answers that are returned for an equal later request.

/** Members of requests that form the cache key. */
const members = [
  'model',
  'input',
  'messages',
  'store',
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
];

/** Returns the first answer to a request for all later matching ones. */
function kept(operation: Operation, fits: (asked: Key, first: Key) => boolean): Defect['override'] {
  return (seams) => {
    const answers = new Map<string, { readonly answer: Answer; readonly key: Key }>();
    return handling(operation, (handle) => async (call, key) => {
      const { stream, ...body } = call.body;
      const plain = Object.keys(body).every((name) => members.includes(name));
      if (stream === true || !plain) return handle(call, key);
      const asked = `${call.gateway.region} ${JSON.stringify(body)}`;
      const before = answers.get(asked);
      if (before !== undefined && fits(key, before.key)) return before.answer;
      const answer = await handle(call, key);
      if (before === undefined) answers.set(asked, { answer, key });
      return answer;
    })(seams);
  };
}

const sameKey = (asked: Key, first: Key): boolean => asked.role === first.role;
const otherUser = (asked: Key, first: Key): boolean => asked.user !== first.user;

export const generationAcrossProtocolsFaults: readonly Fault[] = [
  ...each(conversing, ({ protocol, operation, member }) => ({
    '{protocol}.{member}-optional': forgiving(
      ({ reason, param }, call) =>
        call.operation === operation && reason === 'missing-parameter' && param === member,
    ),
    '{protocol}.limit-ignored': limited(isOver(protocol), () => null),
    '{protocol}.limit-off-by-two': limited(isOver(protocol), (limit) => limit + 2),
  })),
  ...each(['messages', 'generative'], (protocol) => ({
    '{}-count.constant': counting(isOver(protocol), () => 42),
  })),
  ...each(streaming, (protocol) => ({
    'limits.ignored-in-second-region-{}': limited(
      (call) => isOver(protocol)(call) && call.gateway.region === 'us',
      () => null,
    ),
  })),
  ...planted({ 'limits.ignored-on-later-turn': limitedOnce() }),
  ...each(
    everyMode.filter(({ total }) => total !== null),
    ({ answers, total }) => ({
      'metering.wrong-total-on-{name}': answers((answer) => counted(answer, total, -1)),
    }),
  ),
  ...each(everyMode, ({ fits, answers, asWhole, ...counts }) => ({
    'limits.ignored-on-{name}': limited(fits, () => null),
    'limits.unreported-on-{name}': answers(asWhole),
    'metering.input-doubled-on-{name}': inputTimes(2, counts, answers),
  })),
  ...each(
    modes.filter(({ asWhole }) => asWhole === response.asWhole),
    ({ answers }) => ({
      'metering.no-usage-on-{name}': answers((answer) => ({ ...answer, usage: null })),
    }),
  ),
  ...each(
    [...modes.map((mode) => ({ ...mode, counts: mode })), ...bodyModes],
    ({ answers, counts }) => ({
      'metering.input-uncounted-on-{name}': inputTimes(0, counts, answers),
    }),
  ),
  ...each(
    modes.filter(({ name }) => !name.endsWith('-stream')),
    ({ answers, total, output }) => ({
      'metering.output-uncounted-on-{name}': answers((answer) => {
        const count = memberAt(answer, output);
        if (typeof count !== 'number') return answer;
        return set(counted(answer, total, -count), output, 0);
      }),
    }),
  ),
  ...planted({
    'owners.answer-kept-for-others': kept('responses.create', otherUser),
    'responses-body.answer-kept': kept('responses.create', sameKey),
  }),
  ...each(['chat-completions', 'messages'] as const, (protocol) => ({
    '{}.answer-kept': kept(`${protocol}.create`, sameKey),
    '{}.one-id-for-all': bodies(
      protocol === 'messages' ? 'messages.message' : 'chat-completions.completion',
      (body) => ({ ...body, id: 'msg_1' }),
    ),
  })),
];
