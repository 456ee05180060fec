import type { Exchange } from '../../core/index.ts';
import type { Call, Caller, CallOptions } from '../call.ts';
import type { Defaults, Fields } from '../defaults.ts';

/** The Messages protocol. The credential provides its version header. */
export interface MessagesClient {
  /** Requests one JSON body. */
  create(body?: Fields, options?: CallOptions): Promise<Exchange>;
  /** Sends the request with `stream: true`. */
  stream(body?: Fields, options?: CallOptions): Promise<Exchange>;
  countTokens(body?: Fields, options?: CallOptions): Promise<Exchange>;
}

/** @param defaults called for each request, because a scenario may lack a model that generates */
export function messagesClient(caller: Caller, defaults: () => Defaults): MessagesClient {
  const generation = (): Fields => messagesGeneration(defaults());
  const count = (): Fields => messagesCount(defaults());
  return {
    create: (body, options) => caller.send(messagesCall({ ...generation(), ...body }), options),
    stream: (body, options) =>
      caller.send(messagesStreamCall({ ...generation(), ...body }), options),
    countTokens: (body, options) =>
      caller.send(messagesCountCall({ ...count(), ...body }), options),
  };
}

/** The member with the conversation, and the one that limits the output. */
export const input = 'messages';
export const outputLimit = 'max_tokens';

export function userTurn(content: unknown): readonly Fields[] {
  return [{ role: 'user', content }];
}

export function messagesGeneration(defaults: Defaults): Fields {
  return { ...messagesCount(defaults), [outputLimit]: defaults.maxOutputTokens };
}

/** The body of a count, which takes no output limit. */
export function messagesCount(defaults: Defaults): Fields {
  return { model: defaults.model, [input]: userTurn(defaults.input) };
}

const protocol = 'messages';
const path = '/v1/messages';

export function messagesCall(body: Fields): Call {
  return { operation: 'messages.create', protocol, method: 'POST', path, body, expects: 'json' };
}

export function messagesStreamCall(body: Fields): Call {
  return {
    operation: 'messages.stream',
    protocol,
    method: 'POST',
    path,
    body: { ...body, stream: true },
    expects: 'events',
  };
}

export function messagesCountCall(body: Fields): Call {
  return {
    operation: 'messages.count-tokens',
    protocol,
    method: 'POST',
    path: `${path}/count_tokens`,
    body,
    expects: 'json',
  };
}
