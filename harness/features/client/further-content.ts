import {
  type BodyKind,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type StreamEvent,
} from '../../reference/index.ts';

/** Content that may stand before and behind the text. Only Responses and Chat Completions know refusals. */
type FurtherContent = 'unknown' | 'refusals';

const words = 'not a text';
const block = { type: 'x_unknown', data: words };
const part = { xUnknown: { data: words } };
const refusal = { type: 'refusal', refusal: words };
const items = {
  unknown: { type: 'x_unknown', status: 'completed', data: words },
  refusals: { type: 'message', role: 'assistant', status: 'completed', content: [refusal] },
} as const;
/** Delta of a chunk of Chat Completions without text. */
const deltas = { unknown: { x_unknown: words }, refusals: { refusal: words } } as const;

/** True for content that {@link withFurther} can add. */
export function isFurther(beside: string | undefined): beside is FurtherContent {
  return beside !== undefined && beside in items;
}

/** Returns a body with further output items, blocks or parts before and behind the others. */
export function withFurther(kind: BodyKind, body: JsonObject, further: FurtherContent): JsonObject {
  switch (kind) {
    case 'responses.response': {
      const [first, last] = [itemOf(0, further), itemOf(1, further)];
      return { ...body, output: around(first, body.output, last) };
    }
    case 'chat-completions.completion': {
      const choices = list(body.choices).map((choice) => {
        const { message, ...rest } = Object(choice);
        return { ...rest, message: { ...message, ...deltas[further] } };
      });
      return { ...body, choices };
    }
    case 'messages.message':
      return { ...body, content: around(block, body.content, block) };
    case 'generative.response':
      return withPart(body);
    default:
      return body;
  }
}

function itemOf(place: 0 | 1, further: FurtherContent): JsonObject {
  return { id: `x_${place}`, ...items[further] };
}

/** Returns the events of an item in a stream of Responses, without their numbers. */
function eventsOf(place: 0 | 1, index: number, further: FurtherContent): readonly JsonObject[] {
  const item = itemOf(place, further);
  const at = { item_id: `x_${place}`, output_index: index, content_index: 0 };
  const inside = [
    { type: 'response.content_part.added', ...at, part: { ...refusal, refusal: '' } },
    { type: 'response.refusal.delta', ...at, delta: words },
    { type: 'response.refusal.done', ...at, refusal: words },
    { type: 'response.content_part.done', ...at, part: refusal },
  ];
  const added = further === 'refusals' ? { ...item, content: [], status: 'in_progress' } : item;
  return [
    { type: 'response.output_item.added', output_index: index, item: added },
    ...(further === 'refusals' ? inside : []),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function around(first: JsonObject, own: Json | undefined, last: JsonObject): readonly Json[] {
  return [first, ...list(own), last];
}

type Events = AsyncIterable<StreamEvent>;

/** The events of a stream, with those of further items, blocks, parts or chunks around the text. */
export const withFurtherEvents = {
  responses: async function* (events: Events, further: FurtherContent) {
    let number = 0;
    const numbered = (event: StreamEvent, more: JsonObject): StreamEvent => ({
      ...event,
      data: { ...Object(event.data), ...more, sequence_number: number++ },
    });
    const own = (place: 0 | 1, index: number): readonly StreamEvent[] =>
      eventsOf(place, index, further).map((event) => numbered(named(event), {}));
    let last = -1;
    for await (const event of events) {
      const { data } = event;
      if (typeof data === 'string') {
        yield event;
        continue;
      }
      const { output_index: index, response, type } = data;
      if (last < 0 && typeof index === 'number') {
        yield* own(0, 0);
        last = 0;
      }
      if (typeof index === 'number') {
        last = Math.max(last, index + 1);
        yield numbered(event, { output_index: index + 1 });
      } else if (isObject(response) && /completed$/.test(`${type}`)) {
        yield* own(1, last + 1);
        yield numbered(event, { response: withFurther('responses.response', response, further) });
      } else yield numbered(event, {});
    }
  },
  'chat-completions': async function* (events: Events, further: FurtherContent) {
    const choices = [{ index: 0, delta: deltas[further], finish_reason: null }];
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

function named(data: JsonObject): StreamEvent {
  return { name: `${data.type}`, data };
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
