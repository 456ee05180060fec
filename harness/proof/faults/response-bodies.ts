import type { Operation } from '../../reference/dialect.ts';
import type { JsonObject } from '../../reference/json.ts';
import type { ResponseTurn } from '../../reference/responses/turn.ts';
import type { Context, Defect } from '../../reference/seams.ts';
import { bodies } from '../planting.ts';

/** Which responses a fault is about: from one kind of request, so that those of others stay good. */
export type Origin = 'one-body' | 'stream' | 'background';

/** How a response was asked for. A WebSocket turn is a stream. */
export function originOf({ parts: { request } }: ResponseTurn): Origin {
  if (request.background) return 'background';
  return request.stream ? 'stream' : 'one-body';
}

/** Rewrites the response object where these operations answer with one of that origin. */
export function responseAt(
  operations: readonly Operation[],
  origin: Origin,
  change: (body: JsonObject, turn: ResponseTurn, context: Context) => JsonObject,
): Defect['override'] {
  return bodies('responses.response', (body, context) => {
    const turn = context.record?.turn;
    if (!turn || originOf(turn) !== origin) return body;
    return operations.includes(context.call.operation) ? change(body, turn, context) : body;
  });
}

/** Its creation and its lookups: what is said of it there has to agree. */
export const createdAndLookedUp = ['responses.create', 'responses.lookup'] as const;
export const lookedUp = ['responses.lookup'] as const;
export const created = ['responses.create'] as const;
