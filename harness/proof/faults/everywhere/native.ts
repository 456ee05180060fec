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
import { changed, set, setting } from '../../editing.ts';
import {
  eachData,
  eachEvent,
  endpointOf,
  errorBodies,
  lastLeftOpen,
  seam,
  servedHeaders,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Answers that are not native: the envelope of another interface, the wrong form, the wrong content type, events of
// another protocol.

/** Wraps the bodies, events or frames of one endpoint in `{ data, requestId }`. */
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

/** For each protocol, an event of another one. */
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

/** Shows creation times in milliseconds, in the body or in each entry of a list. */
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

function rewritingText(text: (body: string) => string): Defect['override'] {
  return seam(
    'transport',
    'send',
    (native) => (out, head, body, context) =>
      native(out, head, context.refusal === null ? text(body) : body, context),
  );
}

// Refusals in another shape than the protocol's own.

type Kind = 'no-key' | 'unknown-model' | 'bad-body' | 'unknown-id';

const kinds: Readonly<Record<Kind, readonly RefusalReason[]>> = {
  'no-key': ['no-key'],
  'unknown-model': ['unknown-model'],
  'bad-body': ['malformed-json'],
  'unknown-id': ['unknown-response', 'unknown-previous-response'],
};

const naming: readonly Kind[] = ['no-key', 'unknown-model', 'bad-body'];

/** Kinds of refusals of each endpoint. */
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

/** Returns an error of the console API, which is not a protocol of the gateway. */
function consoleError({ requestId }: { readonly requestId: string }): JsonObject {
  return { success: false, msg: 'The request is not valid.', requestId };
}

/** True if a client accepts any media type, as many do. */
function takesAnything({ headers }: Call): boolean {
  return headers.accept === '*/*';
}

export const everywhereFaults: readonly Fault[] = [
  ...planted({
    'native.generative-stream-as-list': ({ transport }) => ({
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
    'native.body-labelled-as-stream': servedHeaders(
      (kind, { call }) => kind === 'responses.response' && takesAnything(call),
      { 'content-type': 'text/event-stream' },
    ),
    'native.stream-labelled-as-body': servedHeaders(
      (_, { call }) =>
        call.operation === 'messages.create' && call.body.stream === true && takesAnything(call),
      { 'content-type': 'application/json' },
    ),
  }),
  ...planted({
    'native.byte-order-mark': rewritingText((body) => `\u{FEFF}${body}`),
    'native.member-twice': rewritingText((body) => body.replace(/^\{("[^"]+":)/, '{$1null,$1')),
  }),
  ...each(endpoints, (endpoint) => ({ 'native.enveloped-{}': enveloped(endpoint) })),
  ...each(timedEndpoints, (endpoint) => ({
    'native.milliseconds-{}': seam('encode', 'body', (own) => (kind, body, context) => {
      const native = own(kind, body, context);
      const fits = endpointOf(context.call) === endpoint && context.refusal === null;
      return fits ? inMilliseconds(native) : native;
    }),
  })),
  ...each(switched, (protocol) => ({
    'native.streams-unasked-{}': relax(
      'wantsStream',
      (body, call) =>
        call.operation === `${protocol}.create` &&
        body.stream === undefined &&
        body.background !== true &&
        body.model !== 'ts-plain',
    ),
  })),
  ...each(switched, (protocol) => ({
    'native.streams-when-false-{}': relax(
      'wantsStream',
      (body, call) => call.operation === `${protocol}.create` && body.stream === false,
    ),
  })),
  ...each(jsonEndpoints, (endpoint) => ({
    'native.text-plain-{}': servedHeaders(
      (kind, { call }) => endpointOf(call) === endpoint && !kind.endsWith('.stream'),
      { 'content-type': 'text/plain; charset=utf-8' },
    ),
  })),
  ...each(streaming, (protocol) => ({
    'native.stream-as-json-{}': servedHeaders((kind) => kind === `${protocol}.stream`, {
      'content-type': 'application/json',
    }),
  })),
  ...each(streaming, (protocol) => ({
    'native.foreign-event-{}': eachEvent(
      protocol,
      ({ refusal, over, startingAfter }) =>
        (event, index) => {
          const whole = refusal === null && over === 'sse' && startingAfter === null;
          return index === 1 && whole ? [foreign[protocol], event] : event;
        },
    ),
  })),
  ...planted({
    'native.messages-over-responses': eachEvent('messages', () => ({ name, data }) => {
      if (typeof data === 'string' || name !== 'content_block_delta') return { name, data };
      const type = 'response.output_text.delta';
      return { name: type, data: { ...data, type, sequence_number: 1 } };
    }),
  }),
  ...each(streaming, (protocol) => ({
    'native.refuses-in-stream-{}': relax(
      'refusesInStream',
      (_refusal, call) => call.dialect.name === protocol,
    ),
  })),
  ...each(['responses', 'chat-completions', 'messages'] as const, (protocol) => ({
    'native.last-event-open-{}': lastLeftOpen(protocol),
  })),
  ...each(
    Object.entries(refusable).flatMap(([endpoint, asked]) =>
      asked.map((kind) => ({ endpoint, kind, reasons: kinds[kind] })),
    ),
    ({ endpoint, reasons }) => ({
      'errors.console-style-{endpoint}-{kind}': errorBodies(
        ({ call, refusal }) => endpointOf(call) === endpoint && reasons.includes(refusal.reason),
        (_body, { call }) => consoleError(call),
      ),
    }),
  ),
  ...planted({
    'errors.messages-openai-style': errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      ({ error }) => ({ error: error ?? null }),
    ),
    'errors.generative-openai-style': errorBodies(
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
    'errors.generative-code-of-rpc': errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      setting('error.code', 3),
    ),
    'errors.generative-always-internal': errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      setting('error.status', 'INTERNAL'),
    ),
    'errors.messages-always-api-error': errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      setting('error.type', 'api_error'),
    ),
    'errors.models-code-of-another-status': errorBodies(
      ({ call }) => call.dialect.name === 'models',
      setting('error.code', '500'),
    ),
    'errors.unknown-model-as-wrong-key': errorBodies(
      ({ call, refusal }) =>
        call.dialect.name === 'chat-completions' && refusal.reason === 'unknown-model',
      setting('error.code', 'invalid_api_key'),
    ),
    'errors.frames-with-status-200': eachData('responses', (data, _index, { over }) =>
      over === 'websocket' && data.type === 'error' ? set(data, 'status', 200) : data,
    ),
    'errors.frames-always-server-error': eachData('responses', (data, _index, { over }) =>
      over === 'websocket' && data.type === 'error'
        ? set(data, 'error.type', 'server_error')
        : data,
    ),
    'errors.html': ({ encode, transport }) => ({
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
  }),
  ...each(['responses', 'chat-completions'] as const, (dialect) => ({
    'errors.{}-always-server-error': errorBodies(
      ({ call }) => call.dialect.name === dialect,
      setting('error.type', 'server_error'),
    ),
  })),
];
