import type { EndpointName } from '../../reference/endpoint-names.ts';
import type { JsonObject } from '../../reference/json.ts';
import type { RefusalReason } from '../../reference/refusal.ts';
import { set } from '../editing.ts';
import { endpointOf, errorBodies } from '../planting.ts';
import type { Fault } from './fault.ts';

// Refusals in another shape than the protocol's own.

const kinds = {
  'no-key': ['no-key'],
  'unknown-model': ['unknown-model'],
  'bad-body': ['malformed-json'],
  'unknown-id': ['unknown-response', 'unknown-previous-response'],
} as const satisfies Record<string, readonly RefusalReason[]>;

type Kind = keyof typeof kinds;

const naming: readonly Kind[] = ['no-key', 'unknown-model', 'bad-body'];

/** What each endpoint may be asked wrongly. */
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

/** The error of the console API, which is none of any protocol here. */
function consoleError({ requestId }: { readonly requestId: string }): JsonObject {
  return { success: false, msg: 'The request is not valid.', requestId };
}

const endpoints = Object.entries(refusable).map(([endpoint, asked]) => ({ endpoint, asked }));

export const errorFaults: readonly Fault[] = [
  ...endpoints.flatMap(({ endpoint, asked }) =>
    asked.map((kind): Fault => {
      const reasons: readonly RefusalReason[] = kinds[kind];
      return {
        id: `errors.console-style-${endpoint}-${kind}`,
        what: `\`${endpoint}\` answers ${kind} with the error body of the console API.`,
        breaks: [`everywhere/native.error-shape:${endpoint}.${kind}`],
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
      ...naming.map((kind) => `everywhere/native.error-shape:messages.${kind}`),
      ...naming.map((kind) => `everywhere/native.error-shape:messages-count-tokens.${kind}`),
    ],
    override: errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      ({ error }) => ({ error: error ?? null }),
    ),
  },
  {
    id: 'errors.generative-openai-style',
    what: 'Generative-content refuses with an error of the Responses API: no numeric code, no status.',
    breaks: (['generate-content', 'count-tokens', 'alternate-path'] as const).flatMap((endpoint) =>
      naming.map((kind) => `everywhere/native.error-shape:${endpoint}.${kind}`),
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
    breaks: naming.map((kind) => `everywhere/native.error-fits-status:generate-content.${kind}`),
    override: errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      (body) => set(body, 'error.code', 3),
    ),
  },
  {
    id: 'errors.generative-always-internal',
    what: 'Errors of generative-content all have the status `INTERNAL`.',
    breaks: naming.map((kind) => `everywhere/native.error-fits-status:generate-content.${kind}`),
    override: errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      (body) => set(body, 'error.status', 'INTERNAL'),
    ),
  },
  {
    id: 'errors.messages-always-api-error',
    what: 'Errors of Messages all have the type `api_error`.',
    breaks: naming.map((kind) => `everywhere/native.error-fits-status:messages.${kind}`),
    override: errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      (body) => set(body, 'error.type', 'api_error'),
    ),
  },
  {
    id: 'errors.html',
    what: 'What is not found is answered with the HTML page of the web server.',
    breaks: [
      'everywhere/native.error-shape:lookup.unknown-id',
      'everywhere/native.error-shape:input-items.unknown-id',
      'everywhere/native.error-shape:cancel.unknown-id',
      'everywhere/native.error-shape:delete.unknown-id',
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
