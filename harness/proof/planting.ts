import {
  type BodyKind,
  type Call,
  type Context,
  type Defect,
  type DialectName,
  type EndpointName,
  type Frames,
  type JsonObject,
  type Operation,
  type Refusal,
  type RefusalReason,
  type ResponseTurn,
  type Route,
  type Seams,
  type StoredOperation,
  type StreamContext,
  type StreamEvent,
  type StreamKind,
  withDefect,
} from '../reference/index.ts';
import { changed, memberAt, renamed } from './editing.ts';

// Common replacements for a seam. Each returns the `override` of a defect, and calls the previous function where
// the defect does not apply.

/** Changes decisions, encoders or transport of a reference gateway: maps the seams to those that differ. */
export type Override = Defect['override'];

const endpointNames: Readonly<Record<Operation, EndpointName | null>> = {
  'responses.create': 'responses',
  'responses.lookup': 'lookup',
  'responses.recover': 'lookup',
  'responses.input-items': 'input-items',
  'responses.cancel': 'cancel',
  'responses.delete': 'delete',
  'responses.compact': 'compact',
  'responses.input-tokens': 'input-tokens',
  'responses.websocket': 'websocket',
  'chat-completions.create': 'chat-completions',
  'messages.create': 'messages',
  'messages.count-tokens': 'messages-count-tokens',
  'generative.generate': 'generate-content',
  'generative.stream': 'stream-generate-content',
  'generative.count-tokens': 'count-tokens',
  'systemone.create': 'systemone',
  'models.list': 'models',
  'models.catalog': 'catalog',
  none: null,
};

/** Returns the endpoint of a call; null if its path has none. */
export function endpointOf({ operation, path }: Call): EndpointName | null {
  const alternate = operation.startsWith('generative.') && path.startsWith('/v1/');
  return alternate ? 'alternate-path' : endpointNames[operation];
}

/** Replaces one seam; `native` is the previous function. */
export function seam<Room extends keyof Seams, Name extends keyof Seams[Room]>(
  room: Room,
  name: Name,
  replacement: (native: Seams[Room][Name]) => Seams[Room][Name],
): Override {
  return (seams) => ({ [room]: { [name]: replacement(seams[room][name]) } });
}

/** Combines several overrides; each calls the functions that the earlier ones have installed. */
export function together(...overrides: readonly Override[]): Override {
  return (seams) =>
    overrides.reduce(
      (replaced, override) => withDefect({ id: '', what: '', override }, replaced),
      seams,
    );
}

/** Rewrites JSON answers of one kind. Errors are separate kinds. */
export function bodies(
  kind: BodyKind,
  change: (body: JsonObject, context: Context) => JsonObject,
): Override {
  return seam('encode', 'body', (own) => (given, body, context) => {
    const native = own(given, body, context);
    return given === kind ? change(native, context) : native;
  });
}

type BodyChange = Parameters<typeof bodies>[1];

export function bodiesOf(kind: BodyKind): (change: BodyChange) => Override {
  return (change) => bodies(kind, change);
}

export function errorBodies(
  fits: (context: Context & { readonly refusal: NonNullable<Context['refusal']> }) => boolean,
  change: (body: JsonObject, context: Context) => JsonObject,
): Override {
  return seam('encode', 'body', (own) => (kind, body, context) => {
    const native = own(kind, body, context);
    const { refusal } = context;
    return refusal !== null && fits({ ...context, refusal }) ? change(native, context) : native;
  });
}

/** Rewrites the headers of matching answers other than refusals. */
export function servedHeaders(
  fits: (kind: BodyKind | StreamKind, context: Context) => boolean,
  headers: Readonly<Record<string, string>>,
): Override {
  return seam('encode', 'headers', (own) => (kind, native, context) => {
    const written = own(kind, native, context);
    const replaced = context.refusal === null && fits(kind, context);
    return replaced ? { ...written, ...headers } : written;
  });
}

type Transform = Frames[DialectName];

/** Inserts a transform between the events of a protocol and the client. */
export function streams(dialect: DialectName, transform: Transform): Override {
  return ({ frames }) => {
    const replaced: Partial<Record<DialectName, Transform>> = {};
    replaced[dialect] = (events, context) => transform(frames[dialect](events, context), context);
    return { frames: replaced };
  };
}

/**
 * Replaces each event of a protocol's streams by one, several or no events.
 *
 * @param change created for each stream, so that it may keep state
 */
export function eachEvent(
  dialect: DialectName,
  change: (
    context: StreamContext,
  ) => (event: StreamEvent, index: number) => StreamEvent | readonly StreamEvent[],
): Override {
  return streams(dialect, async function* (events, context) {
    const next = change(context);
    let index = 0;
    for await (const event of events) {
      const replaced = next(event, index++);
      if ('data' in replaced) yield replaced;
      else yield* replaced;
    }
  });
}

/** Rewrites the data of the events that are JSON. */
export function eachData(
  dialect: DialectName,
  change: (data: JsonObject, index: number, context: StreamContext) => JsonObject,
): Override {
  return eachEvent(dialect, (context) => ({ name, data }, index) => ({
    name,
    data: typeof data === 'string' ? data : change(data, index, context),
  }));
}

type DataChange = Parameters<typeof eachData>[1];

export function dataOf(dialect: DialectName): (change: DataChange) => Override {
  return (change) => eachData(dialect, change);
}

export function afterwards(
  dialect: DialectName,
  more: (context: StreamContext) => readonly StreamEvent[],
): Override {
  return streams(dialect, async function* (events, context) {
    yield* events;
    yield* more(context);
  });
}

export function handlingAll(around: (handle: Route['handle']) => Route['handle']): Override {
  return seam(
    'endpoints',
    'routes',
    (native) => (dialect) =>
      native(dialect).map((route) => ({ ...route, handle: around(route.handle.bind(route)) })),
  );
}

export function handling(
  operation: Operation,
  around: (handle: Route['handle']) => Route['handle'],
): Override {
  return seam(
    'endpoints',
    'routes',
    (native) => (dialect) =>
      native(dialect).map((route) => ({
        ...route,
        handle: (call, key) =>
          (call.operation === operation ? around(route.handle) : route.handle)(call, key),
      })),
  );
}

/** Delays an operation on a response until the run of the response has ended by itself. */
export function handledAtTheEnd(operation: Operation): Override {
  return handling(operation, (handle) => async (call, key) => {
    await call.gateway.store.peek(call.params.id ?? '')?.turn?.run.settled;
    return handle(call, key);
  });
}

export function moreRoutes(
  name: DialectName,
  more: (routes: readonly Route[]) => readonly Route[],
): Override {
  return seam('endpoints', 'routes', (native) => (dialect) => {
    const routes = native(dialect);
    return dialect.name === name ? [...more(routes), ...routes] : routes;
  });
}

/** Operations on a stored response, by their names in ids of checks. */
export const storedOperations = [
  'lookup',
  'input-items',
  'continue',
  'continue-websocket',
  'recover',
  'cancel',
  'delete',
] as const satisfies readonly StoredOperation[];

export function statusOf(given: number, fits: (refusal: Refusal, call: Call) => boolean): Override {
  return seam(
    'encode',
    'status',
    (own) => (kind, native, context) =>
      context.refusal !== null && fits(context.refusal, context.call)
        ? given
        : own(kind, native, context),
  );
}

export function redirected(
  to: (call: Call) => string,
  fits: (refusal: Refusal, call: Call) => boolean,
): Override {
  return together(
    statusOf(302, fits),
    seam('encode', 'headers', (own) => (kind, native, context) => {
      const written = own(kind, native, context);
      const { refusal, call } = context;
      const isSent = refusal !== null && fits(refusal, call);
      return isSent ? { ...written, location: to(call) } : written;
    }),
  );
}

/** Creation modes that faults distinguish. */
export type CreationMode = 'one-body' | 'stream' | 'background';

/** Returns the creation mode of a response. A WebSocket turn is a stream. */
export function creationModeOf({ parts: { request } }: ResponseTurn): CreationMode {
  if (request.background) return 'background';
  return request.stream ? 'stream' : 'one-body';
}

export function responseAt(
  operations: readonly Operation[],
  mode: CreationMode,
  change: (body: JsonObject, turn: ResponseTurn, context: Context) => JsonObject,
): Defect['override'] {
  return bodies('responses.response', (body, context) => {
    const turn = context.record?.turn;
    if (!turn || creationModeOf(turn) !== mode) return body;
    return operations.includes(context.call.operation) ? change(body, turn, context) : body;
  });
}

type ResponseChange = Parameters<typeof responseAt>[2];

export function responseIn(
  operations: readonly Operation[],
  mode: CreationMode,
): (change: ResponseChange) => Override {
  return (change) => responseAt(operations, mode, change);
}

/** A creation and its lookups have to agree. */
export const createdAndLookedUp = ['responses.create', 'responses.lookup'] as const;
export const lookedUp = ['responses.lookup'] as const;
export const created = ['responses.create'] as const;

/** Omits the blank line after the last event of the protocol's streams. */
export function lastLeftOpen(dialect: DialectName): Defect['override'] {
  return seam(
    'transport',
    'stream',
    (native) => (out, head, pieces, context) =>
      native(out, head, context.call.dialect.name === dialect ? leftOpen(pieces) : pieces, context),
  );
}

async function* leftOpen(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let last: string | null = null;
  for await (const piece of pieces) {
    if (last !== null) yield last;
    last = piece;
  }
  if (last !== null) yield last.replace(/\n\n$/, '\n');
}

/** Acts as a proxy that delivers a stream in one piece after its end. */
export const buffered: Override = () => ({
  transport: {
    async stream(out, head, pieces) {
      let whole = '';
      for await (const piece of pieces) whole += piece;
      if (!out.destroyed) out.writeHead(head.status, head.headers).end(whole);
    },
  },
});

/** Turns the text of a generative-content response into hidden thoughts. */
export function allThought(body: JsonObject): JsonObject {
  const silent = changed(body, 'candidates.0.content', () => ({ role: 'model' }));
  const thought = Number(memberAt(body, 'usageMetadata.thoughtsTokenCount') ?? 0);
  const hidden = renamed(silent, 'usageMetadata.candidatesTokenCount', 'thoughtsTokenCount');
  return changed(hidden, 'usageMetadata.thoughtsTokenCount', (count) => Number(count) + thought);
}

export const mainOperations = [
  ['responses', 'responses.create'],
  ['chat-completions', 'chat-completions.create'],
  ['messages', 'messages.create'],
  ['generative', 'generative.generate'],
  ['systemone', 'systemone.create'],
] as const satisfies readonly (readonly [DialectName, Operation])[];

export const badBody: readonly RefusalReason[] = [
  'empty-body',
  'malformed-json',
  'not-an-object',
  'missing-parameter',
  'wrong-type',
  'invalid-value',
  'too-deep',
];
