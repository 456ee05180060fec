import { insist } from '../admission.ts';
import type { BodyAnswer, Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { quoted, Refusal } from '../refusal.ts';
import { reach } from './stored.ts';

/**
 * `GET /v1/responses/<RESPONSE_ID>/input_items`: the input of this one turn, newest first unless
 * `order=asc`, in pages of `limit` (1–100, default 20) after the item `after`.
 */
export function inputItems(call: Call, key: Key): BodyAnswer {
  const record = reach('input-items', call, key);
  const limit = readLimit(call);
  const inOrder = [...record.turn.parts.request.input];
  if (readOrder(call) === 'desc') inOrder.reverse();
  const items = inOrder.slice(startOf(inOrder, call));
  const data = items.slice(0, limit);
  return {
    kind: 'responses.input-items',
    body: {
      object: 'list',
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: items.length > limit,
    },
    record,
  };
}

function readLimit({ query, ...call }: Call): number {
  const value = query.get('limit') ?? '20';
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= 100) return limit;
  const message = `'limit' has to be between 1 and 100, not ${quoted(value)}.`;
  insist({ query, ...call }, new Refusal('invalid-value', message, 'limit'));
  return 20;
}

function readOrder(call: Call): 'asc' | 'desc' {
  const value = call.query.get('order') ?? 'desc';
  if (value === 'asc' || value === 'desc') return value;
  const message = `'order' has to be 'asc' or 'desc', not ${quoted(value)}.`;
  insist(call, new Refusal('invalid-value', message, 'order'));
  return 'desc';
}

function startOf(items: readonly JsonObject[], call: Call): number {
  const after = call.query.get('after');
  if (after === null) return 0;
  const index = items.findIndex(({ id }) => id === after);
  if (index >= 0) return index + 1;
  const message = `'after': this response has no input item ${quoted(after)}.`;
  insist(call, new Refusal('invalid-value', message, 'after'));
  return 0;
}
