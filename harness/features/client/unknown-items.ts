import {
  type BodyKind,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type StreamEvent,
} from '../../reference/index.ts';

const item = { type: 'x_unknown', status: 'completed', data: 'not a text' };
const block = { type: 'x_unknown', data: 'not a text' };
const part = { xUnknown: { data: 'not a text' } };
/** Chunk of Chat Completions without text, with an unknown member. */
const choices = [{ index: 0, delta: { x_unknown: 'not a text' }, finish_reason: null }];

/** A body with output items, blocks or parts of an unknown type before and behind the others. */
export function withUnknownItem(kind: BodyKind, body: JsonObject): JsonObject {
  switch (kind) {
    case 'responses.response':
      return { ...body, output: around(itemOf(0), body.output, itemOf(1)) };
    case 'messages.message':
      return { ...body, content: around(block, body.content, block) };
    case 'generative.response':
      return withPart(body);
    default:
      return body;
  }
}

function itemOf(place: 0 | 1): JsonObject {
  return { id: `x_${place}`, ...item };
}

function around(first: JsonObject, own: Json | undefined, last: JsonObject): readonly Json[] {
  return [first, ...list(own), last];
}

type Events = AsyncIterable<StreamEvent>;

/** The events of a stream, with those of items, blocks, parts or chunks of an unknown type around the text. */
export const withUnknownItemEvents = {
  responses: async function* (events: Events) {
    let number = 0;
    const numbered = (event: StreamEvent, more: JsonObject): StreamEvent => ({
      ...event,
      data: { ...Object(event.data), ...more, sequence_number: number++ },
    });
    const unknown = (place: 0 | 1, index: number): readonly StreamEvent[] =>
      ['added', 'done'].map((end) => {
        const type = `response.output_item.${end}`;
        return numbered(named({ type, output_index: index, item: itemOf(place) }), {});
      });
    let last = -1;
    for await (const event of events) {
      const { data } = event;
      if (typeof data === 'string') {
        yield event;
        continue;
      }
      const { output_index: index, response, type } = data;
      if (last < 0 && typeof index === 'number') {
        yield* unknown(0, 0);
        last = 0;
      }
      if (typeof index === 'number') {
        last = Math.max(last, index + 1);
        yield numbered(event, { output_index: index + 1 });
      } else if (isObject(response) && /completed$/.test(`${type}`)) {
        yield* unknown(1, last + 1);
        yield numbered(event, { response: withUnknownItem('responses.response', response) });
      } else yield numbered(event, {});
    }
  },
  'chat-completions': async function* (events: Events) {
    for await (const event of events) {
      const { data } = event;
      if (typeof data !== 'string' && list(data.choices).length > 0) {
        yield { ...event, data: { ...data, choices } };
      }
      yield event;
    }
  },
  messages: async function* (events: Events) {
    const unknown = (index: number): readonly StreamEvent[] =>
      [
        { type: 'content_block_start', index, content_block: block },
        { type: 'content_block_delta', index, delta: { ...block, type: 'x_unknown_delta' } },
        { type: 'content_block_stop', index },
      ].map(named);
    let last = 0;
    for await (const event of events) {
      if (typeof event.data === 'string') {
        yield event;
        continue;
      }
      const { type, index } = event.data;
      if (type === 'message_delta') yield* unknown(last + 1);
      if (typeof index === 'number') {
        last = Math.max(last, index + 1);
        yield { ...event, data: { ...event.data, index: index + 1 } };
      } else yield event;
      if (type === 'message_start') yield* unknown(0);
    }
  },
  generative: async function* (events: Events) {
    for await (const event of events) {
      yield typeof event.data === 'string' ? event : { ...event, data: withPart(event.data) };
    }
  },
} as const;

function named(data: JsonObject & { readonly type: string }): StreamEvent {
  return { name: data.type, data };
}

function withPart(body: JsonObject): JsonObject {
  const candidates = list(body.candidates).map((candidate) => {
    if (!isObject(candidate) || !isObject(candidate.content)) return candidate;
    const { content } = candidate;
    return { ...candidate, content: { ...content, parts: around(part, content.parts, part) } };
  });
  return { ...body, candidates };
}

function list(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
