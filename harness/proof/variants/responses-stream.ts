import {
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type StreamContext,
  type StreamEvent,
} from '../../reference/index.ts';
import { decide, thinksFirst } from '../decisions.ts';
import { changed, memberAt, without as omitted, set } from '../editing.ts';
import { afterwards, bodies, eachData, eachEvent, handling, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

/**
 * Replaces events in the streams of Responses, and renumbers them from 0, consistently in a recovered stream.
 *
 * @param change created for each stream; replaces an event by one, several or none
 */
export function renumbered(
  change: (context: StreamContext) => (event: StreamEvent) => readonly StreamEvent[],
): Defect['override'] {
  return ({ frames }) => ({
    policy: { recoversFrom: () => 0 },
    frames: {
      responses: async function* (events, context) {
        // An error alone has no place in the event order.
        if (context.refusal !== null) return yield* frames.responses(events, context);
        const next = change(context);
        const after = context.startingAfter ?? -1;
        let number = 0;
        for await (const event of frames.responses(events, context)) {
          for (const { name, data } of next(event)) {
            const numbered = typeof data === 'string' ? data : { ...data, sequence_number: number };
            if (number > after) yield { name, data: numbered };
            number++;
          }
        }
      },
    },
  });
}

/** Returns an event of Responses, whose number is assigned later. */
function typed(type: string, members: object): StreamEvent {
  return { name: type, data: { type, sequence_number: 0, ...members } };
}

const protocol = 'responses';

/** More pieces than an answer has events before its text: a client that counts events waits too briefly. */
const thought = 'Let me think about what is asked here before I say a word of it.'.split(/(?= )/);

/** Returns a message after the answer, equal wherever the response is shown. */
function closing(responseId: Json | undefined, part: JsonObject): JsonObject {
  return {
    id: `msg_${responseId}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [part],
  };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function isFinished(response: Json | undefined): boolean {
  const status = memberAt(response, 'status');
  return status === 'completed' || status === 'incomplete';
}

/** Adds the second message to a response that has finished a message. */
const withClosing =
  (part: JsonObject) =>
  (response: JsonObject): JsonObject => {
    if (memberAt(response, 'output.0.type') !== 'message' || !isFinished(response)) return response;
    return changed(response, 'output', (output) =>
      isArray(output) ? [...output, closing(response.id, part)] : output,
    );
  };

/** Applies a change to the response inside an event. */
function inEvent(data: JsonObject, change: (response: JsonObject) => JsonObject): JsonObject {
  return changed(data, 'response', (response) =>
    typeof response === 'object' && response !== null && !isArray(response)
      ? change(response)
      : response,
  );
}

/** Accepts references to the second message, as to the other items. */
function referable(part: JsonObject): Defect['override'] {
  return handling('responses.create', (handle) => (call, key) => {
    const { input } = call.body;
    if (!isArray(input)) return handle(call, key);
    const read = input.map((one) => {
      const { type, id } = isObject(one) ? one : {};
      if (type !== 'item_reference' || typeof id !== 'string') return one;
      return id.startsWith('msg_resp_') ? closing(id.slice('msg_'.length), part) : one;
    });
    return handle({ ...call, body: { ...call.body, input: read } }, key);
  });
}

/**
 * Adds a second message after the answer.
 *
 * @param said events between the start of its part and its end
 */
function secondMessage(
  part: JsonObject,
  said: (at: JsonObject) => readonly StreamEvent[],
): Defect['override'] {
  return together(
    bodies('responses.response', withClosing(part)),
    referable(part),
    renumbered(() => (event) => {
      const { name, data } = event;
      if (typeof data === 'string') return [event];
      const response = memberAt(data, 'response');
      const isText = memberAt(response, 'output.0.type') === 'message';
      if (!isText || !isFinished(response)) return [event];
      const item = closing(memberAt(response, 'id'), part);
      const at = { item_id: item.id, output_index: 1, content_index: 0 };
      const begun = part.type === 'refusal' ? { type: 'refusal', refusal: '' } : textPart('');
      return [
        typed('response.output_item.added', {
          output_index: 1,
          item: { ...item, status: 'in_progress', content: [] },
        }),
        typed('response.content_part.added', { ...at, part: begun }),
        ...said(at),
        typed('response.content_part.done', { ...at, part }),
        typed('response.output_item.done', { output_index: 1, item }),
        { name, data: inEvent(data, withClosing(part)) },
      ];
    }),
  );
}

/** Omits the events of these types, and renumbers the others. */
function withoutEvents(types: RegExp): Defect['override'] {
  return renumbered(
    () => (event) => (types.test(String(memberAt(event.data, 'type'))) ? [] : [event]),
  );
}

const fragments = /\.delta$/;
const betweenItems = /(\.delta|text\.done|arguments\.done|part\.\w+)$/;
const ofItems = /(\.delta|\.added|\.done)$/;
const refusal = 'That is all that I may say.';

export const responsesStreamVariants: readonly Variant[] = planted({
  'responses-stream.done': afterwards(protocol, ({ over }) =>
    over === 'sse' ? [{ name: null, data: '[DONE]' }] : [],
  ),
  'responses-stream.no-event-lines': eachEvent(protocol, () => ({ data }) => ({
    name: null,
    data,
  })),
  'responses-stream.sequence-gaps': together(
    eachData(protocol, (data) =>
      changed(data, 'sequence_number', (n) => (typeof n === 'number' ? 10 * n : n)),
    ),
    decide(
      'recoversFrom',
      (native) => (after, record, call) =>
        native(after === null ? null : Math.floor(after / 10), record, call),
    ),
  ),
  'responses-stream.sequence-from-one': together(
    eachData(protocol, (data) =>
      changed(data, 'sequence_number', (n) => (typeof n === 'number' ? n + 1 : n)),
    ),
    decide(
      'recoversFrom',
      (native) => (after, record, call) =>
        native(after === null || after === 0 ? null : after - 1, record, call),
    ),
  ),
  'responses-stream.keepalive': renumbered(
    () => (event) =>
      event.name === 'response.output_text.delta' ? [event, typed('keepalive', {})] : [event],
  ),
  'responses-stream.unknown-events': renumbered(
    () => (event) =>
      event.name === 'response.output_text.delta'
        ? [typed('response.routing.hop', { hop: 1 }), event]
        : [event],
  ),
  'responses-stream.empty-deltas': renumbered(
    () => (event) =>
      event.name === 'response.output_text.delta' && typeof event.data !== 'string'
        ? [{ name: event.name, data: set(event.data, 'delta', '') }, event]
        : [event],
  ),
  'responses-stream.empty-first-delta': renumbered(() => ({ name, data }) => {
    const opens = memberAt(data, 'part.type') === 'output_text' && name !== null;
    if (typeof data === 'string' || !opens || !name.endsWith('.added')) return [{ name, data }];
    const { item_id, output_index, content_index } = data;
    const at = { item_id, output_index, content_index, logprobs: [] };
    return [{ name, data }, typed('response.output_text.delta', { ...at, delta: '' })];
  }),
  'responses-stream.whole-text-at-once': renumbered(() => {
    let held: JsonObject | null = null;
    return ({ name, data }) => {
      const isDelta = name === 'response.output_text.delta' && typeof data !== 'string';
      const before: JsonObject | null = held;
      held = null;
      if (!isDelta) {
        return [
          ...(before === null ? [] : [{ name: 'response.output_text.delta', data: before }]),
          { name, data },
        ];
      }
      if (before !== null) {
        return [{ name, data: set(data, 'delta', `${before.delta}${data.delta}`) }];
      }
      held = data;
      return [];
    };
  }),
  'responses-stream.obfuscation': eachData(protocol, (data) =>
    typeof data.delta === 'string' ? { ...data, obfuscation: 'k3Jx9' } : data,
  ),
  'responses-stream.optional-members-omitted': eachData(protocol, (data) =>
    'logprobs' in data
      ? omitted(data, 'logprobs')
      : 'arguments' in data
        ? omitted(data, 'name')
        : data,
  ),
  'responses-stream.reasoning-first': thinksFirst(protocol, thought),
  'responses-stream.text-in-one-piece': renumbered(() => {
    let held: JsonObject | null = null;
    return ({ name, data }) => {
      if (typeof data === 'string') return [{ name, data }];
      if (name === 'response.output_text.delta') {
        const before = memberAt(held ?? {}, 'delta') ?? '';
        held = { ...data, delta: `${before}${data.delta}` };
        return [];
      }
      const whole = held;
      if (whole === null || name !== 'response.output_text.done') return [{ name, data }];
      held = null;
      return [
        { name: 'response.output_text.delta', data: whole },
        { name, data },
      ];
    };
  }),
  'responses-stream.second-message': secondMessage(textPart('Done.'), (at) => [
    typed('response.output_text.delta', { ...at, delta: 'Done.', logprobs: [] }),
    typed('response.output_text.done', { ...at, text: 'Done.', logprobs: [] }),
  ]),
  'responses-stream.refusal-without-fragments': secondMessage(
    { type: 'refusal', refusal },
    (at) => [typed('response.refusal.done', { ...at, refusal })],
  ),
  'responses-stream.no-fragments': together(
    thinksFirst(protocol, thought),
    withoutEvents(fragments),
  ),
  'responses-stream.whole-items': together(
    thinksFirst(protocol, thought),
    withoutEvents(betweenItems),
  ),
  'responses-stream.last-snapshot-alone': withoutEvents(ofItems),
  'responses-stream.cancelled-ends-plainly': eachEvent(
    protocol,
    () => (event) => (memberAt(event.data, 'response.status') === 'cancelled' ? [] : event),
  ),
  'responses-stream.cancelled-by-name': eachEvent(protocol, () => ({ name, data }) => {
    if (typeof data === 'string' || memberAt(data, 'response.status') !== 'cancelled') {
      return { name, data };
    }
    const type = 'response.cancelled';
    return { name: type, data: { ...data, type } };
  }),
});
