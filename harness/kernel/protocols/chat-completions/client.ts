import type { Exchange } from '../../core/index.ts';
import type { Call, Caller, CallOptions } from '../call.ts';
import type { Defaults, Fields } from '../defaults.ts';

export interface ChatCompletionsClient {
  /** Requests one JSON body. */
  create(body?: Fields, options?: CallOptions): Promise<Exchange>;
  /** Sends the request with `stream: true`. */
  stream(body?: Fields, options?: CallOptions): Promise<Exchange>;
}

/** @param defaults called for each request, because a scenario may lack a model that generates */
export function chatCompletionsClient(
  caller: Caller,
  defaults: () => Defaults,
): ChatCompletionsClient {
  const generation = (): Fields => chatGeneration(defaults());
  return {
    create: (body, options) => caller.send(chatCall({ ...generation(), ...body }), options),
    stream: (body, options) => caller.send(chatStreamCall({ ...generation(), ...body }), options),
  };
}

/** The member with the conversation, and the one that limits the output. */
export const input = 'messages';
export const outputLimit = 'max_completion_tokens';

export function userTurn(content: unknown): readonly Fields[] {
  return [{ role: 'user', content }];
}

export function chatGeneration(defaults: Defaults): Fields {
  const { model, maxOutputTokens } = defaults;
  return { model, [input]: userTurn(defaults.input), [outputLimit]: maxOutputTokens };
}

const protocol = 'chat-completions';
const path = '/v1/chat/completions';

export function chatCall(body: Fields): Call {
  return {
    operation: 'chat-completions.create',
    protocol,
    method: 'POST',
    path,
    body,
    expects: 'json',
  };
}

export function chatStreamCall(body: Fields): Call {
  return {
    operation: 'chat-completions.stream',
    protocol,
    method: 'POST',
    path,
    body: { ...body, stream: true },
    expects: 'events',
  };
}
