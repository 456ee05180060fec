import {
  type Call,
  type Defect,
  type DialectName,
  type EndpointName,
  endpoints,
  isArray,
  isObject,
  type JsonObject,
  type RefusalReason,
  type StreamEvent,
} from '../../../reference/index.ts';
import { relax } from '../../decisions.ts';
import { changed, set } from '../../editing.ts';
import {
  eachData,
  eachEvent,
  endpointOf,
  errorBodies,
  lastLeftOpen,
  servedHeaders,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Answers that are not native: the envelope of another interface, the wrong form, the wrong content
// type, events of another protocol.

/** `{ data, requestId }` around the bodies, events or frames of one endpoint. */
function enveloped(endpoint: EndpointName): Defect['override'] {
  return ({ encode, frames }) => {
    const wrapped = (data: JsonObject, requestId: string): JsonObject => ({ data, requestId });
    const changed: Partial<Record<DialectName, (typeof frames)['responses']>> = {};
    for (const dialect of ['responses', 'generative'] as const) {
      changed[dialect] = async function* (events, context) {
        const { call, refusal, over } = context;
        const fits =
          endpointOf(call) === endpoint &&
          refusal === null &&
          (over === 'websocket' || endpoint === 'stream-generate-content');
        for await (const { name, data } of frames[dialect](events, context)) {
          const whole = fits && typeof data !== 'string';
          yield { name, data: whole ? wrapped(data, call.requestId) : data };
        }
      };
    }
    return {
      frames: changed,
      encode: {
        body: (kind, body, context) => {
          const native = encode.body(kind, body, context);
          const fits = endpointOf(context.call) === endpoint && context.refusal === null;
          return fits ? wrapped(native, context.call.requestId) : native;
        },
      },
    };
  };
}

/** Endpoints whose answer is one JSON body that official clients have to parse. */
const jsonEndpoints = endpoints.filter(
  (name) => !['stream-generate-content', 'delete', 'websocket'].includes(name),
);

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

/** An event that belongs to another protocol than the one it is put into. */
const foreign: Readonly<Record<(typeof streaming)[number], StreamEvent>> = {
  responses: { name: null, data: chunk() },
  'chat-completions': {
    name: null,
    data: { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: '' },
  },
  messages: { name: null, data: chunk() },
  generative: { name: null, data: chunk() },
};

function chunk(): JsonObject {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'ts-omni',
    choices: [{ index: 0, delta: {}, finish_reason: null }],
  };
}

const timedEndpoints = ['responses', 'chat-completions', 'compact', 'models'] as const;

/** Times of creation in milliseconds, in the body or in each entry of a list. */
function inMilliseconds(body: JsonObject): JsonObject {
  const late = ['created', 'created_at'].reduce(
    (changing, member) =>
      changed(changing, member, (time) => (typeof time === 'number' ? time * 1000 : time)),
    body,
  );
  return changed(late, 'data', (entries) =>
    isArray(entries)
      ? entries.map((entry) => (isObject(entry) ? inMilliseconds(entry) : entry))
      : entries,
  );
}

const switched = ['responses', 'chat-completions', 'messages'] as const;

/** Another text in the place of every JSON body that is served. */
function writing(text: (body: string) => string): Defect['override'] {
  return ({ transport }) => ({
    transport: {
      send: (out, head, body, context) =>
        transport.send(out, head, context.refusal === null ? text(body) : body, context),
    },
  });
}

const nativeFaults: readonly Fault[] = [
  {
    id: 'native.byte-order-mark',
    what: 'A served body begins with a byte order mark.',
    breaks: ['everywhere/native.no-byte-order-mark'],
    override: writing((body) => `\u{FEFF}${body}`),
  },
  {
    id: 'native.member-twice',
    what: 'The first member of a served body stands in it twice, first with another value.',
    breaks: ['everywhere/native.members-once'],
    override: writing((body) => body.replace(/^\{("[^"]+":)/, '{$1null,$1')),
  },
  ...endpoints.map(
    (endpoint): Fault => ({
      id: `native.enveloped-${endpoint}`,
      what: `What \`${endpoint}\` answers is wrapped in \`{ data, requestId }\`.`,
      breaks: [`everywhere/native.body-not-enveloped:${endpoint}`],
      override: enveloped(endpoint),
    }),
  ),
  ...timedEndpoints.map(
    (endpoint): Fault => ({
      id: `native.milliseconds-${endpoint}`,
      what: `The time of creation in the body of \`${endpoint}\` is in milliseconds.`,
      breaks: [`everywhere/native.created-in-seconds:${endpoint}`],
      override: ({ encode }) => ({
        encode: {
          body: (kind, body, context) => {
            const native = encode.body(kind, body, context);
            const fits = endpointOf(context.call) === endpoint && context.refusal === null;
            return fits ? inMilliseconds(native) : native;
          },
        },
      }),
    }),
  ),
  ...switched.map(
    (protocol): Fault => ({
      id: `native.streams-unasked-${protocol}`,
      what: `Where a request does not mention \`stream\`, ${protocol} streams.`,
      breaks: [`everywhere/native.json-unless-asked:${protocol}.absent`],
      override: relax(
        'wantsStream',
        (body, call) =>
          call.operation === `${protocol}.create` &&
          body.stream === undefined &&
          body.background !== true &&
          body.model !== 'ts-plain',
      ),
    }),
  ),
  ...switched.map(
    (protocol): Fault => ({
      id: `native.streams-when-false-${protocol}`,
      what: `\`stream: false\` is taken for a wish to stream on ${protocol}: the member is there.`,
      breaks: [`everywhere/native.json-unless-asked:${protocol}.false`],
      override: relax(
        'wantsStream',
        (body, call) => call.operation === `${protocol}.create` && body.stream === false,
      ),
    }),
  ),
  ...jsonEndpoints.map(
    (endpoint): Fault => ({
      id: `native.text-plain-${endpoint}`,
      what: `The JSON of \`${endpoint}\` is sent as text/plain.`,
      breaks: [`everywhere/native.json-content-type:${endpoint}`],
      override: servedHeaders(
        (kind, { call }) => endpointOf(call) === endpoint && !kind.endsWith('.stream'),
        { 'content-type': 'text/plain; charset=utf-8' },
      ),
    }),
  ),
  ...streaming.map(
    (protocol): Fault => ({
      id: `native.stream-as-json-${protocol}`,
      what: `The streams of ${protocol} are sent as application/json.`,
      breaks: [`everywhere/native.event-stream-content-type:${protocol}`],
      override: servedHeaders((kind) => kind === `${protocol}.stream`, {
        'content-type': 'application/json',
      }),
    }),
  ),
  ...streaming.map(
    (protocol): Fault => ({
      id: `native.foreign-event-${protocol}`,
      what: `An event of another protocol stands in the streams of ${protocol}.`,
      breaks: [`everywhere/native.no-foreign-events:${protocol}`],
      override: eachEvent(protocol, ({ refusal, over, startingAfter }) => (event, index) => {
        const whole = refusal === null && over === 'sse' && startingAfter === null;
        return index === 1 && whole ? [foreign[protocol], event] : event;
      }),
    }),
  ),
  {
    id: 'native.messages-over-responses',
    what: 'A Messages stream comes as the events of the Responses API that it was made from.',
    breaks: ['everywhere/native.no-foreign-events:messages'],
    override: eachEvent('messages', () => ({ name, data }) => {
      if (typeof data === 'string' || name !== 'content_block_delta') return { name, data };
      const type = 'response.output_text.delta';
      return { name: type, data: { ...data, type, sequence_number: 1 } };
    }),
  },
  ...streaming.map(
    (protocol): Fault => ({
      id: `native.refuses-in-stream-${protocol}`,
      what: `Where a stream was asked for, ${protocol} refuses with 200 and an error event.`,
      breaks: [`everywhere/native.error-before-stream:${protocol}`],
      override: relax('refusesInStream', (_refusal, call) => call.dialect.name === protocol),
    }),
  ),
];

// Refusals in another shape than the protocol's own.

const kinds = {
  'no-key': ['no-key'],
  'unknown-model': ['unknown-model'],
  'bad-body': ['malformed-json'],
  'unknown-id': ['unknown-response', 'unknown-previous-response'],
} as const satisfies Record<string, readonly RefusalReason[]>;

type Kind = keyof typeof kinds;

const naming: readonly Kind[] = ['no-key', 'unknown-model', 'bad-body'];

/** The kinds of refusals of each endpoint. */
const refusable: Readonly<Record<EndpointName, readonly Kind[]>> = {
  responses: [...naming, 'unknown-id'],
  'chat-completions': naming,
  messages: naming,
  'messages-count-tokens': naming,
  'generate-content': naming,
  'stream-generate-content': naming,
  'count-tokens': naming,
  'alternate-path': naming,
  systemone: naming,
  models: ['no-key'],
  catalog: ['no-key'],
  lookup: ['no-key', 'unknown-id'],
  'input-items': ['no-key', 'unknown-id'],
  cancel: ['no-key', 'unknown-id'],
  delete: ['no-key', 'unknown-id'],
  compact: naming,
  'input-tokens': naming,
  websocket: ['no-key', 'unknown-model', 'unknown-id'],
};

/** The error of the console API, which is no protocol of the gateway. */
function consoleError({ requestId }: { readonly requestId: string }): JsonObject {
  return { success: false, msg: 'The request is not valid.', requestId };
}

const refusableEndpoints = Object.entries(refusable).map(([endpoint, asked]) => ({
  endpoint,
  asked,
}));

const errorFaults: readonly Fault[] = [
  ...refusableEndpoints.flatMap(({ endpoint, asked }) =>
    asked.map((kind): Fault => {
      const reasons: readonly RefusalReason[] = kinds[kind];
      return {
        id: `errors.console-style-${endpoint}-${kind}`,
        what: `\`${endpoint}\` answers ${kind} with the error body of the console API.`,
        breaks: [`everywhere/native.error-shape:${endpoint}`],
        override: errorBodies(
          ({ call, refusal }) => endpointOf(call) === endpoint && reasons.includes(refusal.reason),
          (_body, { call }) => consoleError(call),
        ),
      };
    }),
  ),
  {
    id: 'errors.messages-openai-style',
    what: 'Messages refuses with an error of the Responses API: no `type: "error"` at the top.',
    breaks: [
      'everywhere/native.error-shape:messages',
      'everywhere/native.error-shape:messages-count-tokens',
    ],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      ({ error }) => ({ error: error ?? null }),
    ),
  },
  {
    id: 'errors.generative-openai-style',
    what: 'Generative-content refuses with an error of the Responses API: no numeric code, no status.',
    breaks: (['generate-content', 'count-tokens', 'alternate-path'] as const).map(
      (endpoint) => `everywhere/native.error-shape:${endpoint}`,
    ),
    override: errorBodies(
      ({ call, refusal }) => {
        const endpoint = endpointOf(call);
        return call.dialect.name === 'generative' && endpoint !== 'catalog' && refusal !== null;
      },
      (_body, { refusal }) => ({
        error: {
          message: refusal?.message ?? '',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      }),
    ),
  },
  {
    id: 'errors.generative-code-of-rpc',
    what: 'Errors of generative-content say the number of the RPC code, and not the HTTP status.',
    breaks: ['everywhere/native.error-fits-status:generative'],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      (body) => set(body, 'error.code', 3),
    ),
  },
  {
    id: 'errors.generative-always-internal',
    what: 'Errors of generative-content all have the status `INTERNAL`.',
    breaks: ['everywhere/native.error-fits-status:generative'],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      (body) => set(body, 'error.status', 'INTERNAL'),
    ),
  },
  {
    id: 'errors.messages-always-api-error',
    what: 'Errors of Messages all have the type `api_error`.',
    breaks: ['everywhere/native.error-fits-status:messages'],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      (body) => set(body, 'error.type', 'api_error'),
    ),
  },
  ...(['responses', 'chat-completions'] as const).map(
    (dialect): Fault => ({
      id: `errors.${dialect}-always-server-error`,
      what: `Errors of ${dialect} all have the type \`server_error\`, also where the client is to blame.`,
      breaks: [`everywhere/native.error-fits-status:${dialect}`],
      override: errorBodies(
        ({ call }) => call.dialect.name === dialect,
        (body) => set(body, 'error.type', 'server_error'),
      ),
    }),
  ),
  {
    id: 'errors.models-code-of-another-status',
    what: 'Errors of the model list have the code `500`, whatever their status.',
    breaks: ['everywhere/native.error-fits-status:models'],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'models',
      (body) => set(body, 'error.code', '500'),
    ),
  },
  {
    id: 'errors.unknown-model-as-wrong-key',
    what: 'A model that does not exist is told with the code of a wrong key.',
    breaks: ['everywhere/native.error-fits-status:chat-completions'],
    override: errorBodies(
      ({ call, refusal }) =>
        call.dialect.name === 'chat-completions' && refusal.reason === 'unknown-model',
      (body) => set(body, 'error.code', 'invalid_api_key'),
    ),
  },
  {
    id: 'errors.frames-always-server-error',
    what: 'Error frames of a WebSocket have the type `server_error` beside the status 400.',
    breaks: ['everywhere/native.error-fits-status:responses'],
    override: eachData('responses', (data, _index, { over }) =>
      over === 'websocket' && data.type === 'error'
        ? set(data, 'error.type', 'server_error')
        : data,
    ),
  },
  {
    id: 'errors.html',
    what: 'A response that is not found is answered with an HTML page.',
    breaks: [
      'everywhere/native.error-shape:lookup',
      'everywhere/native.error-shape:input-items',
      'everywhere/native.error-shape:cancel',
      'everywhere/native.error-shape:delete',
    ],
    override: ({ encode, transport }) => ({
      encode: {
        headers: (kind, headers, context) => ({
          ...encode.headers(kind, headers, context),
          ...(context.refusal?.reason === 'unknown-response'
            ? { 'content-type': 'text/html; charset=utf-8' }
            : {}),
        }),
      },
      transport: {
        send: (out, head, body, context) => {
          const page = '<!doctype html><html><body><h1>404 Not Found</h1></body></html>';
          const lost = context.refusal?.reason === 'unknown-response';
          return transport.send(out, head, lost ? page : body, context);
        },
      },
    }),
  },
];

const unclosedFaults: readonly Fault[] = (
  ['responses', 'chat-completions', 'messages'] as const
).map((protocol) => ({
  id: `native.last-event-open-${protocol}`,
  what: `The last event of a stream of ${protocol} is not closed by a blank line.`,
  breaks: [`everywhere/native.last-event-closed:${protocol}`],
  override: lastLeftOpen(protocol),
}));

/** True if a client accepts any media type, as many do. */
function takesAnything({ headers }: Call): boolean {
  return headers.accept === '*/*';
}

const labelFaults: readonly Fault[] = [
  {
    id: 'native.generative-stream-as-list',
    what: 'On generative-content the chunks of a stream come in one JSON list, whatever `alt` says.',
    breaks: ['everywhere/native.event-stream-content-type:generative'],
    override: ({ transport }) => ({
      transport: {
        async stream(out, head, pieces, context) {
          if (context.call.operation !== 'generative.stream' || context.refusal !== null)
            return transport.stream(out, head, pieces, context);
          let whole = '';
          for await (const piece of pieces) whole += piece;
          const chunks = whole.split(/^data: /m).filter((chunk) => chunk.trim() !== '');
          const list = JSON.stringify(chunks.map((chunk): unknown => JSON.parse(chunk)));
          const headers = { ...head.headers, 'content-type': 'application/json' };
          return transport.send(out, { ...head, headers }, list, context);
        },
      },
    }),
  },
  {
    id: 'native.body-labelled-as-stream',
    what: 'To a client that takes anything, one JSON body is sent as `text/event-stream`.',
    breaks: ['everywhere/native.json-content-type:responses'],
    shownBy: ['input/requests.equivalent-forms:responses'],
    override: servedHeaders(
      (kind, { call }) => kind === 'responses.response' && takesAnything(call),
      { 'content-type': 'text/event-stream' },
    ),
  },
  {
    id: 'native.stream-labelled-as-body',
    what: 'To a client that takes anything, a stream of Messages is sent as `application/json`.',
    breaks: ['everywhere/native.event-stream-content-type:messages'],
    override: servedHeaders(
      (_, { call }) =>
        call.operation === 'messages.create' && call.body.stream === true && takesAnything(call),
      { 'content-type': 'application/json' },
    ),
  },
];

export const everywhereFaults: readonly Fault[] = [
  ...labelFaults,
  ...nativeFaults,
  ...unclosedFaults,
  ...errorFaults,
];
