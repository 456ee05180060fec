import { type Exchange, textAt } from '../../core/index.ts';
import type { Call, Caller, CallOptions, SocketSession } from '../call.ts';
import type { Defaults, Fields } from '../defaults.ts';
import { segment } from '../path-segment.ts';
import { endsTurn } from './events.ts';

/** The Responses protocol, over HTTP and over WebSocket. */
export interface ResponsesClient {
  /** Requests one JSON body, with `store: false` unless the body sets it. */
  create(body?: Fields, options?: CallOptions): Promise<Exchange>;
  /** Sends the request with `stream: true`. */
  stream(body?: Fields, options?: CallOptions): Promise<Exchange>;
  lookup(
    id: string,
    options?: CallOptions,
    query?: Readonly<Record<string, string>>,
  ): Promise<Exchange>;
  inputItems(
    id: string,
    query?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Exchange>;
  cancel(id: string, options?: CallOptions): Promise<Exchange>;
  delete(id: string, options?: CallOptions): Promise<Exchange>;
  /** Requests the events of a response after a sequence number, or all of them. */
  recover(
    id: string,
    from?: { readonly startingAfter?: number | string },
    options?: CallOptions,
  ): Promise<Exchange>;
  compact(body?: Fields, options?: CallOptions): Promise<Exchange>;
  inputTokens(body?: Fields, options?: CallOptions): Promise<Exchange>;
  connect(options?: CallOptions): Promise<SocketSession>;
  /** The `response.create` frame of a generation, for a session that sends it directly. */
  frame(body?: Fields): Fields;
  /** Sends one `response.create` and receives until its turn ends. */
  turn(session: SocketSession, body?: Fields): Promise<Turn>;
}

export interface Turn {
  /** The JSON of each frame, in order. Undefined for a frame that is not JSON. */
  readonly events: readonly unknown[];
  /** Id of the response of the turn. Null if none was named. */
  readonly responseId: string | null;
  /** Type of the last frame. Null if the socket closed or the timeout elapsed. */
  readonly ended: string | null;
}

/** @param defaults called for each request, because a scenario may lack a model that generates */
export function responsesClient(caller: Caller, defaults: () => Defaults): ResponsesClient {
  const generation = (): Fields => responsesGeneration(defaults());
  const count = (): Fields => responsesCount(defaults());
  const frame = (body: Fields = {}): Fields => ({ ...responsesFrame(defaults()), ...body });

  return {
    create: (body, options) => caller.send(createCall({ ...generation(), ...body }), options),
    stream: (body, options) => caller.send(streamCall({ ...generation(), ...body }), options),
    lookup: (id, options, query) => caller.send(lookupCall(id, query), options),
    inputItems: (id, query, options) => caller.send(inputItemsCall(id, query), options),
    cancel: (id, options) => caller.send(cancelCall(id), options),
    delete: (id, options) => caller.send(deleteCall(id), options),
    recover: (id, from, options) => caller.send(recoverCall(id, from), options),
    compact: (body, options) => caller.send(compactCall({ ...count(), ...body }), options),
    inputTokens: (body, options) => caller.send(inputTokensCall({ ...count(), ...body }), options),
    connect: (options) => caller.open(connectCall(), options),
    frame,
    turn: (session, body) => takeTurn(session, frame(body)),
  };
}

/** The member with the input, and the one that limits the output. */
export const input = 'input';
export const outputLimit = 'max_output_tokens';

export function responsesGeneration(defaults: Defaults): Fields {
  return {
    ...responsesCount(defaults),
    [outputLimit]: defaults.maxOutputTokens,
    store: false,
  };
}

/** The body of a count or a compact call. The specification shows no output limit for them. */
export function responsesCount(defaults: Defaults): Fields {
  return { model: defaults.model, [input]: defaults.input };
}

/** The frame of a generation over WebSocket: flat, and without the implied `stream`. */
export function responsesFrame(defaults: Defaults): Fields {
  return { type: 'response.create', ...responsesGeneration(defaults) };
}

const protocol = 'responses';
const path = '/v1/responses';

export function createCall(body: Fields): Call {
  return { operation: 'responses.create', protocol, method: 'POST', path, body, expects: 'json' };
}

export function streamCall(body: Fields): Call {
  return {
    operation: 'responses.stream',
    protocol,
    method: 'POST',
    path,
    body: { ...body, stream: true },
    expects: 'events',
  };
}

export function lookupCall(id: string, query: Readonly<Record<string, string>> = {}): Call {
  return {
    operation: 'responses.lookup',
    protocol,
    method: 'GET',
    path: `${path}/${segment(id)}`,
    query,
    expects: 'json',
  };
}

export function inputItemsCall(id: string, query: Readonly<Record<string, string>> = {}): Call {
  return {
    operation: 'responses.input-items',
    protocol,
    method: 'GET',
    path: `${path}/${segment(id)}/input_items`,
    query,
    expects: 'json',
  };
}

export function cancelCall(id: string): Call {
  return {
    operation: 'responses.cancel',
    protocol,
    method: 'POST',
    path: `${path}/${segment(id)}/cancel`,
    expects: 'json',
  };
}

export function deleteCall(id: string): Call {
  return {
    operation: 'responses.delete',
    protocol,
    method: 'DELETE',
    path: `${path}/${segment(id)}`,
    expects: 'json',
  };
}

export function recoverCall(
  id: string,
  { startingAfter }: { readonly startingAfter?: number | string } = {},
): Call {
  return {
    operation: 'responses.recover',
    protocol,
    method: 'GET',
    path: `${path}/${segment(id)}`,
    query: {
      stream: 'true',
      ...(startingAfter === undefined ? {} : { starting_after: String(startingAfter) }),
    },
    expects: 'events',
  };
}

export function compactCall(body: Fields): Call {
  return {
    operation: 'responses.compact',
    protocol,
    method: 'POST',
    path: `${path}/compact`,
    body,
    expects: 'json',
  };
}

export function inputTokensCall(body: Fields): Call {
  return {
    operation: 'responses.input-tokens',
    protocol,
    method: 'POST',
    path: `${path}/input_tokens`,
    body,
    expects: 'json',
  };
}

export function connectCall(): Call {
  return { operation: 'responses.connect', protocol, method: 'GET', path, expects: 'socket' };
}

async function takeTurn(session: SocketSession, frame: Fields): Promise<Turn> {
  const events: unknown[] = [];
  let responseId: string | null = null;
  let ended: string | null = null;
  session.send(frame);
  await session.receive(({ json }) => {
    events.push(json);
    responseId ??= textAt(json, 'response.id');
    const type = textAt(json, 'type');
    if (endsTurn(type)) ended = type;
    return ended !== null;
  });
  return { events, responseId, ended };
}
