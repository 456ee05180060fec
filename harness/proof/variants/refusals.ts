import {
  type Answer,
  type Call,
  type Defect,
  isObject,
  type JsonObject,
  mayReach,
  type Operation,
  Refusal,
  type RefusalReason,
  type StoredOperation,
} from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, dropping, memberAt, setting } from '../editing.ts';
import {
  badBody,
  errorBodies,
  handling,
  moreRoutes,
  redirected,
  seam,
  statusOf,
  together,
} from '../planting.ts';
import { each, planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Other statuses and other error bodies for the same refusals.

type Fits = (refusal: Refusal, call: Call) => boolean;

/** Refuses with another status, which the error may name. */
function status(given: number, fits: Fits): Defect['override'] {
  const named = errorBodies(
    ({ refusal, call }) => fits(refusal, call),
    (body, { refusal, call }) =>
      refusal === null ? body : call.dialect.error(refusal, given, call),
  );
  return together(named, statusOf(given, fits));
}

function reasons(...list: readonly RefusalReason[]): Fits {
  return ({ reason }) => list.includes(reason);
}

const denied = reasons('unknown-response', 'unknown-previous-response');
const badBodies = reasons(...badBody, 'limit-too-small', 'limit-too-large');

const always = (): boolean => true;

/** Changes the `error` object of the OpenAI-style protocols. */
function openaiErrors(change: (error: JsonObject) => JsonObject): Defect['override'] {
  return errorBodies(
    // An error frame needs a code. A refused upgrade has no user yet, and no frames.
    ({ call }) =>
      ['responses', 'chat-completions', 'models'].includes(call.dialect.name) &&
      (call.operation !== 'responses.websocket' || call.key === null),
    (body) => changed(body, 'error', (error) => (isObject(error) ? change(error) : error)),
  );
}

const refusalVariants: readonly Variant[] = [
  ...each([400, 401, 403, 404, 409, 410, 422], (given) => ({
    'refusals.denied-{}': status(given, denied),
  })),
  ...planted({
    'refusals.bad-body-422': status(422, badBodies),
    'refusals.systemone-400': status(400, (_refusal, { dialect }) => dialect.name === 'systemone'),
    'refusals.no-key-403': status(403, reasons('no-key', 'unknown-key')),
    'refusals.no-key-401': status(401, reasons('no-key', 'unknown-key')),
    'refusals.unpermitted-404': status(
      404,
      reasons('unpermitted-model', 'unknown-model', 'undeclared-protocol'),
    ),
    'refusals.unpermitted-401': status(401, reasons('unpermitted-model')),
    'refusals.unsupported-501': status(501, reasons('unsupported-capability')),
    'refusals.unsupported-503': status(503, reasons('unsupported-capability')),
    'refusals.unsupported-404': status(404, reasons('unsupported-capability')),
    'refusals.wrong-method-404': status(404, reasons('wrong-method', 'upgrade-required')),
    'refusals.sent-to-sign-in': redirected(
      () => '/sign-in?next=console',
      reasons('no-key', 'unknown-key'),
    ),
    'refusals.in-stream': () => ({ policy: { refusesInStream: always } }),
    'refusals.more-members': errorBodies(always, (body) => ({
      ...changed(body, 'error', (error) =>
        isObject(error) ? { ...error, doc_url: 'https://docs.invalid/errors', details: [] } : error,
      ),
      trace_id: 'c0ffee',
    })),
    'refusals.code-omitted': openaiErrors(dropping('code', 'param')),
    'refusals.own-codes': openaiErrors((error) => ({
      ...error,
      type: 'invalid_request',
      code: 'gw_1042',
    })),
    'refusals.own-names': errorBodies(
      ({ call }) => ['messages', 'generative'].includes(call.dialect.name),
      (body) =>
        changed(body, 'error', (error) => ({
          ...Object(error),
          ...(memberAt(error, 'type') === undefined ? { status: 'NO' } : { type: 'gateway_error' }),
        })),
    ),
    'refusals.always-callers-fault': errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      setting('error.type', 'invalid_request_error'),
    ),
    'refusals.bare-error': errorBodies(
      ({ call }) => ['responses.cancel', 'responses.delete'].includes(call.operation),
      ({ error }) => (isObject(error) ? error : {}),
    ),
    'refusals.no-request-id': errorBodies(
      ({ call }) => call.dialect.name === 'messages',
      dropping('request_id'),
    ),
    'refusals.generative-details': errorBodies(
      ({ call }) => call.dialect.name === 'generative',
      (body) =>
        changed(body, 'error', (error) => ({
          ...Object(error),
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BAD' }],
        })),
    ),
    'created.status-201': seam(
      'encode',
      'status',
      (own) => (kind, native, context) =>
        kind === 'responses.response' && context.call.operation === 'responses.create'
          ? 201
          : own(kind, native, context),
    ),
    'background.status-202': seam(
      'encode',
      'status',
      (own) => (kind, native, context) =>
        kind === 'responses.response' && context.call.body.background === true
          ? 202
          : own(kind, native, context),
    ),
    'paths.doubled-prefix': moreRoutes('generative', (routes) =>
      routes.map((route) => ({
        ...route,
        path: new RegExp(route.path.source.replace('^\\/v1', '^\\/v1\\/v1')),
      })),
    ),
    'input.unknown-members-refused': refusingUnknown('touchstone_unknown'),
  }),
  ...each(
    [
      {
        form: 'text',
        says: 'its detail as a text',
        body: (message: string) => ({ detail: message }),
      },
      { form: 'error', says: 'a `error`', body: (message: string) => ({ error: { message } }) },
      { form: 'message', says: 'a `message`', body: (message: string) => ({ message }) },
    ],
    ({ body }) => ({
      'refusals.systemone-{form}': errorBodies(
        ({ call }) => call.dialect.name === 'systemone',
        (native) => body(String(memberAt(native, 'detail.message') ?? 'Not valid.')),
      ),
    }),
  ),
];

function refusingUnknown(name: string): Defect['override'] {
  return handling('responses.create', (handle) => (call, key) => {
    if (call.body[name] === undefined) return handle(call, key);
    throw new Refusal('invalid-value', `Unknown parameter: '${name}'.`, name);
  });
}

// A background request that cannot be served is accepted, and fails when its run starts.

const foundOutLater: readonly RefusalReason[] = [
  'unknown-model',
  'unpermitted-model',
  'undeclared-protocol',
  'unknown-previous-response',
];

interface Accepted {
  readonly user: string | undefined;
  readonly response: JsonObject;
  readonly message: string;
}

function accept(call: Call, { message }: Refusal): Accepted {
  const response = {
    id: call.gateway.seams.encode.id('resp_', call),
    object: 'response',
    created_at: Math.floor(call.gateway.now() / 1000),
    status: 'queued',
    background: true,
    model: call.body.model ?? null,
    output: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  };
  return { user: call.key?.user, response, message };
}

export const failsLater: Defect['override'] = (seams) => {
  const accepted = new Map<unknown, Accepted>();
  const creating = handling('responses.create', (handle) => async (call, key) => {
    try {
      return await handle(call, key);
    } catch (error) {
      const late = call.body.background === true && call.body.stream !== true;
      if (!late || !(error instanceof Refusal) || !foundOutLater.includes(error.reason))
        throw error;
      const one = accept(call, error);
      accepted.set(one.response.id, one);
      return { kind: 'responses.response', body: one.response };
    }
  });
  const lookingUp = handling(
    'responses.lookup',
    (handle) =>
      (call, key): Answer | Promise<Answer> => {
        const one = accepted.get(call.params.id);
        if (one === undefined || one.user !== key.user) return handle(call, key);
        const error = { code: 'invalid_prompt', message: one.message };
        return { kind: 'responses.response', body: { ...one.response, status: 'failed', error } };
      },
  );
  return together(creating, lookingUp)(seams);
};

const lateRefusalVariants: readonly Variant[] = planted({
  'background.fails-later': failsLater,
});

// A WebSocket can refuse without an error message.

const websocketRefusalVariants: readonly Variant[] = planted({
  'websocket.upgrade-refused-bare': seam(
    'transport',
    'refuseUpgrade',
    (native) => (socket, head) => native(socket, head, ''),
  ),
  // For a previous response that is not found, the frame is documented.
  'websocket.closes-to-refuse': seam(
    'transport',
    'frame',
    (native) => async (socket, text, context) => {
      if (context.refusal === null) await native(socket, text, context);
      else socket.close(1008);
    },
  ),
});

// Form of a key, and features of the second region: no source specifies them.

const second = 'us';

/** Redirects clients that may reach a response to the region that created it. */
const sendingHome: Defect['override'] = (seams) => {
  const hosts = new Map<string, string>();
  const named: readonly (readonly [Operation, StoredOperation])[] = [
    ['responses.lookup', 'lookup'],
    ['responses.recover', 'recover'],
    ['responses.input-items', 'input-items'],
    ['responses.cancel', 'cancel'],
    ['responses.delete', 'delete'],
  ];
  return together(
    ({ policy, encode }) => ({
      policy: {
        credential: (credential, call) => {
          hosts.set(call.gateway.region, call.headers.host ?? '');
          return policy.credential(credential, call);
        },
      },
      encode: {
        status: (kind, status, context) =>
          context.refusal?.headers.location === undefined
            ? encode.status(kind, status, context)
            : 307,
      },
    }),
    ...named.map(([operation, as]) =>
      handling(operation, (handle) => (call, key) => {
        const { gateway, path, query, params } = call;
        const record = gateway.store.peek(params.id ?? '');
        if (record === undefined || record.region === gateway.region) return handle(call, key);
        const there = { ...call, gateway: { ...gateway, region: record.region } };
        if (!mayReach({ operation: as, record, key, call: there })) return handle(call, key);
        const location = `http://${hosts.get(record.region)}${path}${query.size > 0 ? `?${query}` : ''}`;
        throw new Refusal('unknown-response', 'Ask its own region.', null, { location });
      }),
    ),
  )(seams);
};

const keyAndRegionVariants: readonly Variant[] = planted({
  'auth.keys-in-any-case': decide(
    'keyFor',
    (native) => (secret, call) =>
      native(secret, call) ??
      call.gateway.keys.find((key) => key.secret.toLowerCase() === secret?.toLowerCase()),
  ),
  'regions.redirected': sendingHome,
  'regions.second-lists-shared-models': decide(
    'listedModels',
    (native) => (key, call) =>
      native(key, call).filter(
        ({ permitted }) => call.gateway.region !== second || permitted.includes('restricted'),
      ),
  ),
});

export const refusalsVariants: readonly Variant[] = [
  ...refusalVariants,
  ...lateRefusalVariants,
  ...websocketRefusalVariants,
  ...keyAndRegionVariants,
];
