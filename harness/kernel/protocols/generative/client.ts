import type { Exchange } from '../../core/index.ts';
import type { Call, Caller, CallOptions } from '../call.ts';
import { type Defaults, type Fields, fieldsAt } from '../defaults.ts';
import { segment } from '../path-segment.ts';

/** The model is part of the path in this protocol, so it is an option and not a member of the body. */
interface GenerativeOptions extends CallOptions {
  readonly model?: string;
  /** True to use `/v1/models/…` instead of `/v1beta/models/…`. */
  readonly alternatePath?: boolean;
}

export interface GenerativeClient {
  /** Requests one JSON body. */
  generate(body?: Fields, options?: GenerativeOptions): Promise<Exchange>;
  /** Requests an event stream (`alt=sse`). */
  stream(body?: Fields, options?: GenerativeOptions): Promise<Exchange>;
  countTokens(body?: Fields, options?: GenerativeOptions): Promise<Exchange>;
}

/** @param defaults called for each request, because a scenario may lack a model that generates */
export function generativeClient(caller: Caller, defaults: () => Defaults): GenerativeClient {
  const send = (
    make: (address: Addressed, body: Fields) => Call,
    body: Fields,
    options: GenerativeOptions = {},
  ): Promise<Exchange> => {
    const { model = defaults().model, alternatePath = false, ...rest } = options;
    return caller.send(make({ model, alternatePath }, body), rest);
  };
  const generation = (): Fields => generativeGeneration(defaults());
  const count = (): Fields => generativeCount(defaults());
  return {
    generate: (body, options) => send(generateCall, { ...generation(), ...body }, options),
    stream: (body, options) => send(generateStreamCall, { ...generation(), ...body }, options),
    countTokens: (body, options) => send(generativeCountCall, { ...count(), ...body }, options),
  };
}

/** The member with the conversation, and the path of the one that limits the output. */
export const input = 'contents';
export const outputLimit = 'generationConfig.maxOutputTokens';

export function userTurn(text: string): readonly Fields[] {
  return [{ role: 'user', parts: [{ text }] }];
}

export function generativeGeneration(defaults: Defaults): Fields {
  return { ...generativeCount(defaults), ...fieldsAt(outputLimit, defaults.maxOutputTokens) };
}

/** The body of a count, which takes no output limit. */
export function generativeCount(defaults: Defaults): Fields {
  return { [input]: userTurn(defaults.input) };
}

interface Addressed {
  readonly model: string;
  readonly alternatePath?: boolean;
}

const protocol = 'generative';

export function generateCall(address: Addressed, body: Fields): Call {
  return {
    operation: 'generative.generate',
    protocol,
    method: 'POST',
    path: pathOf(address, 'generateContent'),
    body,
    expects: 'json',
  };
}

export function generateStreamCall(address: Addressed, body: Fields): Call {
  return {
    operation: 'generative.stream',
    protocol,
    method: 'POST',
    path: pathOf(address, 'streamGenerateContent'),
    query: { alt: 'sse' },
    body,
    expects: 'events',
  };
}

export function generativeCountCall(address: Addressed, body: Fields): Call {
  return {
    operation: 'generative.count-tokens',
    protocol,
    method: 'POST',
    path: pathOf(address, 'countTokens'),
    body,
    expects: 'json',
  };
}

function pathOf({ model, alternatePath }: Addressed, action: string): string {
  const family = alternatePath === true ? '/v1' : '/v1beta';
  return `${family}/models/${segment(model)}:${action}`;
}
