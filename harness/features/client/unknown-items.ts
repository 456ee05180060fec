import {
  type BodyKind,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type StreamEvent,
} from '../../reference/index.ts';

// Unknown items are added after the text, so that the positions of the others do not change.

const item = { id: 'x_1', type: 'x_unknown', status: 'completed', data: 'not a text' };
const block = { type: 'x_unknown', data: 'not a text' };
const part = { xUnknown: { data: 'not a text' } };

/** A body with an additional output item, block or part of an unknown type. */
export function withUnknownItem(kind: BodyKind, body: JsonObject): JsonObject {
  switch (kind) {
    case 'responses.response':
      return { ...body, output: [...list(body.output), item] };
    case 'messages.message':
      return { ...body, content: [...list(body.content), block] };
    case 'generative.response':
      return withPart(body);
    default:
      return body;
  }
}

/** The events of a stream, with those of an additional item, block or part of an unknown type. */
export const withUnknownItemEvents = {
  responses: async function* (events: AsyncIterable<StreamEvent>) {
    for await (const event of events) {
      const { data } = event;
      if (
        typeof data === 'string' ||
        !isObject(data.response) ||
        !/completed$/.test(`${data.type}`)
      ) {
        yield event;
        continue;
      }
      const { response, sequence_number: number } = data;
      const place = { output_index: list(response.output).length, item };
      const next = Number(number);
      yield named({ type: 'response.output_item.added', sequence_number: next, ...place });
      yield named({ type: 'response.output_item.done', sequence_number: next + 1, ...place });
      const whole = withUnknownItem('responses.response', response);
      yield { ...event, data: { ...data, sequence_number: next + 2, response: whole } };
    }
  },
  messages: async function* (events: AsyncIterable<StreamEvent>) {
    for await (const event of events) {
      if (typeof event.data !== 'string' && event.data.type === 'message_delta') {
        yield named({ type: 'content_block_start', index: 1, content_block: block });
        const delta = { type: 'x_unknown_delta', data: 'not a text' };
        yield named({ type: 'content_block_delta', index: 1, delta });
        yield named({ type: 'content_block_stop', index: 1 });
      }
      yield event;
    }
  },
  generative: async function* (events: AsyncIterable<StreamEvent>) {
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
    return { ...candidate, content: { ...content, parts: [...list(content.parts), part] } };
  });
  return { ...body, candidates };
}

function list(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
