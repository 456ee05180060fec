import {
  type Call,
  type DialectName,
  endpoints,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type LedgerRecord,
  modelEndpoints,
  type Refusal,
  type RefusalReason,
  type StreamContext,
  type StreamEvent,
} from '../../reference/index.ts';
import { decide, limited } from '../decisions.ts';
import { errorBodies, type Override, seam, servedHeaders, together } from '../planting.ts';
import { type Decision, type Fits, type Plantable, plantable, type Shown } from './decision.ts';
import {
  asked,
  type Endpoint,
  endpointAt,
  modesAt,
  type RequestPoint,
  regions,
  requestPoint,
  requestPoints,
} from './requests.ts';
import { seeing } from './seen.ts';

// Faults in answers, and in their charges.

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

/** Inserts a transform between the events of every protocol and the client. */
function everyStream(
  transform: (
    events: AsyncIterable<StreamEvent>,
    context: StreamContext,
    dialect: DialectName,
  ) => AsyncIterable<StreamEvent>,
): Override {
  return ({ frames }) => ({
    frames: Object.fromEntries(
      streaming.map((dialect) => [
        dialect,
        (events: AsyncIterable<StreamEvent>, context: StreamContext) =>
          transform(frames[dialect](events, context), context, dialect),
      ]),
    ),
  });
}

/** Changes each JSON body that is served, and the data of each event. */
export function everyAnswer(
  fits: (call: Call) => boolean,
  change: (data: JsonObject, call: Call) => JsonObject,
): Override {
  return together(
    seam('encode', 'body', (own) => (kind, body, context) => {
      const native = own(kind, body, context);
      const { refusal, call } = context;
      return refusal === null && fits(call) ? change(native, call) : native;
    }),
    everyStream(async function* (events, { call, refusal }) {
      const changing = refusal === null && fits(call);
      for await (const event of events) {
        const { name, data } = event;
        yield changing && typeof data !== 'string' ? { name, data: change(data, call) } : event;
      }
    }),
  );
}

/** Returns the area of the requirements for an endpoint's streams. */
const streamArea = (endpoint: Endpoint): string => {
  if (endpoint === 'recover') return 'interruption/recovery';
  if (endpoint === 'websocket') return 'websocket/connection';
  if (endpoint === 'responses') return 'generation/responses-stream';
  if (endpoint === 'alternate-path') return 'generation/paths';
  if (endpoint === 'stream-generate-content') return 'generation/generative-stream';
  return `generation/${endpoint}-stream`;
};

const streamingEndpoints: readonly Endpoint[] = [
  'responses',
  'websocket',
  'chat-completions',
  'messages',
  'stream-generate-content',
  'alternate-path',
  'recover',
];

/** True for events: a recovery always answers with events, all others if a stream is requested. */
const isStreamed = ({ endpoint, mode }: RequestPoint): boolean =>
  endpoint === 'recover' || endpoint === 'websocket' || mode === 'stream' || mode === 'background';

/** A background run is also streamed if `stream` is true. */
const streams = requestPoints(
  streamingEndpoints,
  (endpoint) => [streamArea(endpoint), 'everywhere'],
  isStreamed,
);

function generations(breaks: readonly string[], except = /^$/): Shown<RequestPoint>[] {
  return requestPoints(
    modelEndpoints.filter((name) => !/count|tokens/.test(name) && !except.test(name)),
    () => breaks,
    ({ mode }) => mode !== 'count',
  );
}

const notDelete = endpoints.filter((name) => name !== 'delete' && name !== 'websocket');

const answers: readonly Decision<RequestPoint>[] = [
  {
    id: 'encode.body.enveloped',
    what: 'An answer stands in the envelope of the console API',
    shown: requestPoints([...endpoints, 'recover'], () => ['SVC-2', 'SVC-3']),
    override: asked((isWrong) =>
      everyAnswer(isWrong, (data, { requestId }) => ({ data, requestId })),
    ),
  },
  {
    id: 'encode.headers.content-type',
    what: 'An answer says that it is plain text',
    shown: requestPoints([...notDelete, 'recover'], () => ['everywhere']),
    override: asked((isWrong) =>
      servedHeaders((_kind, { call }) => isWrong(call), {
        'content-type': 'text/plain; charset=utf-8',
      }),
    ),
  },
  {
    id: 'frames.piece-lost',
    what: 'The second piece of the text is missing in a stream',
    shown: streams,
    override: asked((isWrong) =>
      everyStream(async function* (events, { call }, dialect) {
        const losing = isWrong(call);
        let pieces = 0;
        for await (const event of events) {
          const isLost = isPiece(event, dialect) && ++pieces === 2;
          if (!(losing && isLost)) yield event;
        }
      }),
    ),
  },
  {
    id: 'frames.piece-doubled',
    what: 'The second piece of the text comes twice in a stream',
    shown: streams,
    override: asked((isWrong) =>
      everyStream(async function* (events, { call }, dialect) {
        const doubling = isWrong(call);
        let pieces = 0;
        for await (const event of events) {
          yield event;
          if (isPiece(event, dialect) && ++pieces === 2 && doubling) yield event;
        }
      }),
    ),
  },
  {
    id: 'frames.end-lost',
    what: 'A stream has no last event',
    shown: streams,
    override: asked((isWrong) =>
      everyStream(async function* (events, { call, refusal }) {
        const losing = refusal === null && isWrong(call);
        let last: StreamEvent | null = null;
        for await (const event of events) {
          if (last !== null) yield last;
          last = event;
        }
        if (last !== null && !losing) yield last;
      }),
    ),
  },
  {
    id: 'usage.output',
    what: 'The usage shows no token of the output',
    shown: generations(['generation/usage', 'metering/ledger', 'everywhere'], /systemone|compact/),
    override: asked((isWrong) => everyAnswer(isWrong, (data) => withoutOutput(data))),
  },
  {
    id: 'outputLimit',
    what: 'The limit of the output is not kept',
    shown: generations(['LIMIT-1', 'generation/limits', 'EVENT-GAP-1'], /systemone|compact/),
    override: asked((isWrong) => limited(isWrong, () => null)),
  },
];

/** True for an event with a part of the text, but not the end of it. */
function isPiece({ data }: StreamEvent, dialect: DialectName): boolean {
  if (typeof data === 'string') return false;
  const text = JSON.stringify(data);
  switch (dialect) {
    case 'responses':
      return data.type === 'response.output_text.delta';
    case 'messages':
      return text.includes('"text_delta"');
    case 'chat-completions':
      return /"delta":\{"content":"[^"]/.test(text);
    default:
      return text.includes('"parts":[{"text":') && !text.includes('"finishReason"');
  }
}

/** Names of the output, total and input counts, for each form of the usage. */
const counts = [
  ['output_tokens', 'total_tokens', 'input_tokens'],
  ['completion_tokens', 'total_tokens', 'prompt_tokens'],
  ['candidatesTokenCount', 'totalTokenCount', 'promptTokenCount'],
] as const;

function withoutOutput(data: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue;
    changed[name] = isObject(value) && !isArray(value) ? withoutOutput(value) : value;
  }
  for (const [output, sum, input] of counts) {
    if (typeof changed[output] !== 'number') continue;
    changed[output] = 0;
    if (changed[sum] !== undefined) changed[sum] = changed[input] ?? 0;
  }
  return changed;
}

type RefusedPoint = RequestPoint & Readonly<{ reason: string }>;

/** Refusal reasons that can apply to a request to an endpoint. */
const reasons: readonly (readonly [RefusalReason, (endpoint: Endpoint) => boolean])[] = [
  ['no-key', () => true],
  ['unknown-key', () => true],
  ['unknown-model', (endpoint) => modelEndpoints.some((name) => name === endpoint)],
  ['unpermitted-model', (endpoint) => modelEndpoints.some((name) => name === endpoint)],
  [
    'malformed-json',
    (endpoint) => endpoint !== 'websocket' && modelEndpoints.some((name) => name === endpoint),
  ],
  [
    'unknown-response',
    (endpoint) => ['lookup', 'input-items', 'cancel', 'delete', 'recover'].includes(endpoint),
  ],
];

/** A refusal before the body is read has no mode, so each endpoint has one point. */
const refused = (breaks: readonly string[]): Shown<RefusedPoint>[] =>
  regions.flatMap((region) =>
    [...endpoints, 'recover' as const].flatMap((endpoint) =>
      reasons.flatMap(([reason, fits]) => {
        const [mode = 'plain'] = modesAt(endpoint);
        return fits(endpoint) ? [{ at: { region, endpoint, mode, reason }, breaks }] : [];
      }),
    ),
  );

function isRefusedAt(fits: Fits<RefusedPoint>, { reason }: Refusal, call: Call): boolean {
  const endpoint = endpointAt(call);
  if (endpoint === null) return false;
  const [mode = 'plain'] = modesAt(endpoint);
  return fits({ region: call.gateway.region, endpoint, mode, reason }, call);
}

const refusals: readonly Decision<RefusedPoint>[] = [
  {
    id: 'encode.error.enveloped',
    what: 'A refusal stands in the envelope of the console API',
    shown: refused(['SVC-3']),
    override: (fits) =>
      seeing(() =>
        errorBodies(
          ({ call, refusal }) => isRefusedAt(fits, refusal, call),
          (body, { call }) => ({ data: body, requestId: call.requestId }),
        ),
      ),
  },
  {
    id: 'recordsRefusal',
    what: 'A refused request is charged',
    shown: refused(['metering/ledger.refusals-free']).filter(
      // Requests with an unknown key, or without a generation, are not charged.
      ({ at }) => /model|json/.test(at.reason) && !/count|tokens/.test(at.endpoint),
    ),
    override: (fits) =>
      seeing(() =>
        decide(
          'recordsRefusal',
          (native) => (refusal, call) => isRefusedAt(fits, refusal, call) || native(refusal, call),
        ),
      ),
  },
];

/** Changes the financial records of matching requests. */
function recordsAt(
  fits: Fits<RequestPoint>,
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Override {
  return seeing((seen) => (seams) => {
    const fitted = new Set<string>();
    return together(
      decide('findModel', (native) => (id, call) => {
        const point = requestPoint(call, seen);
        if (point !== null && fits(point, call) && call.clientRequestId !== null) {
          fitted.add(call.clientRequestId);
        }
        return native(id, call);
      }),
      decide('financialRecords', (native) => (record, gateway) => {
        const own = native(record, gateway);
        return fitted.has(record.clientRequestId ?? '') ? own.flatMap(change) : own;
      }),
    )(seams);
  });
}

const counting: readonly Endpoint[] = [
  'messages-count-tokens',
  'count-tokens',
  'input-tokens',
  'alternate-path',
];
const isCount = ({ endpoint, mode }: RequestPoint): boolean =>
  mode === 'count' || endpoint !== 'alternate-path';

const ledger: readonly Decision<RequestPoint>[] = [
  {
    id: 'financialRecords.lost',
    what: 'The ledger has no record of a generation',
    shown: generations(['metering/ledger']),
    override: (fits) => recordsAt(fits, () => []),
  },
  {
    id: 'financialRecords.doubled',
    what: 'The ledger has two records of a generation',
    shown: generations(['metering/ledger']),
    override: (fits) =>
      recordsAt(fits, (record) => [record, { ...record, id: `${record.id}_again` }]),
  },
  {
    id: 'charge.counting',
    what: 'A count of tokens is charged like a generation',
    shown: requestPoints(counting, () => ['CHARGE-2'], isCount),
    override: (fits) =>
      recordsAt(fits, (record) => [{ ...record, operation: 'generation', outputTokens: 1 }]),
  },
];

export function answerDecisions(): Plantable[] {
  return [...answers.map(plantable), ...refusals.map(plantable), ...ledger.map(plantable)];
}
