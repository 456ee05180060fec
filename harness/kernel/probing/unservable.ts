import type { Protocol } from '../core/index.ts';
import { type Call, fieldsAt, protocolModules } from '../protocols/index.ts';

/** A model that no gateway has. Its refusal shows the form of a refusal because of the model. */
export const noModel = 'no-such-model';

/** The request body of the public System One API. */
export const publicApi = { dialect: 'public', body: null } as const;

/** A request that no gateway can serve, even if it tolerates wrong types, so that it costs nothing. */
export function unservable(protocol: Protocol, model: string): Call {
  const { request } = protocolModules[protocol];
  const body = request.generation({ model, input: '', maxOutputTokens: 0 }, publicApi);
  const wrong = { ...body, [request.text]: 5, [request.input]: 5 };
  const limit = request.outputLimit === null ? {} : fieldsAt(request.outputLimit, 'none');
  return request.call({ ...wrong, ...limit }, model);
}

export function membersOf({ body }: Call): string[] {
  return Object.keys(Object(body)).filter((name) => name !== 'model');
}
