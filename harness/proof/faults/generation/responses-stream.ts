import type {
  Defect,
  Json,
  JsonObject,
  StreamContext,
  StreamEvent,
} from '../../../reference/index.ts';
import { changed, dropping, set, setting, without } from '../../editing.ts';
import { eachEvent } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

// Events of a stream that was requested in the foreground. Streams of background runs and WebSockets stay
// unchanged, so that the checks that build on them are still judged.

type Change = (
  event: { readonly name: string | null; readonly data: JsonObject },
  index: number,
) => StreamEvent | readonly StreamEvent[];

function isForeground({ call, record, over, refusal }: StreamContext): boolean {
  if (over !== 'sse' || refusal !== null || record === null) return false;
  return call.operation === 'responses.create' && !record.background;
}

/** Replaces events, and leaves their numbers to `change`. */
function events(change: () => Change): Defect['override'] {
  return eachEvent('responses', (context) => {
    const replaced = change();
    return (event, index) => {
      const { name, data } = event;
      if (typeof data === 'string' || !isForeground(context)) return event;
      return replaced({ name, data }, index);
    };
  });
}

/** Replaces events, and renumbers the result without gaps. */
function renumberedBy(change: () => Change): Defect['override'] {
  return events(() => {
    const replaced = change();
    let next = 0;
    return (event, index) => {
      const result = replaced(event, index);
      return ('data' in result ? [result] : result).map(({ name, data }) => ({
        name,
        data: typeof data === 'string' ? data : { ...data, sequence_number: next++ },
      }));
    };
  });
}

function missing(type: string): Defect['override'] {
  return renumberedBy(() => (event) => (event.name === type ? [] : event));
}

function data(type: string, change: (data: JsonObject) => JsonObject): Defect['override'] {
  return events(
    () => (event) => (event.name === type ? { name: type, data: change(event.data) } : event),
  );
}

/** Changes a member of every event that has it. */
function member(name: string, change: (value: Json) => Json): Defect['override'] {
  return events(() => ({ name: type, data }) => ({
    name: type,
    data: data[name] === undefined ? data : changed(data, name, (old) => change(old ?? null)),
  }));
}

// Events of a stream: their content and names, the first and the last event.

const delta = 'response.output_text.delta';
const completed = 'response.completed';
const finalText = 'response.output.0.content.0.text';

// Events of a stream: sequence numbers, and the order of items and parts.

export const generationResponsesStreamFaults: readonly Fault[] = [
  ...planted({
    'responses-stream.untyped': data('response.in_progress', dropping('type')),
    'responses-stream.delta-lost': renumberedBy(() => {
      let pieces = 0;
      return (event) => (event.name === delta && ++pieces === 3 ? [] : event);
    }),
    'responses-stream.deltas-trimmed': data(delta, (event) =>
      set(event, 'delta', String(event.delta).trim()),
    ),
    'responses-stream.deltas-cumulative': events(() => {
      let text = '';
      return (event) => {
        if (event.name !== delta) return event;
        text += String(event.data.delta);
        return { name: delta, data: set(event.data, 'delta', text) };
      };
    }),
    'responses-stream.done-text-short': data('response.output_text.done', (event) =>
      set(event, 'text', String(event.text).slice(0, -1)),
    ),
    'responses-stream.final-text-short': data(completed, (event) =>
      changed(event, finalText, (text) => String(text).slice(0, -1)),
    ),
    'responses-stream.final-output-empty': data(completed, setting('response.output', [])),
    'responses-stream.not-created': missing('response.created'),
    'responses-stream.created-second': renumberedBy(() => {
      let first: StreamEvent | null = null;
      return (event, index) => {
        if (index === 0) {
          first = event;
          return [];
        }
        return index === 1 && first !== null ? [event, first] : event;
      };
    }),
    'responses-stream.no-terminal': missing(completed),
    'responses-stream.two-terminals': renumberedBy(
      () => (event) => (event.name === completed ? [event, event] : event),
    ),
    'responses-stream.usage-after-terminal': renumberedBy(() => (event) => {
      if (event.name !== completed) return event;
      const type = 'response.usage';
      return [event, { name: type, data: { type, usage: event.data.response } }];
    }),
    'responses-stream.completed-in-progress': data(
      completed,
      setting('response.status', 'in_progress'),
    ),
    'responses-stream.completed-at-once': data(
      'response.created',
      setting('response.status', 'completed'),
    ),
    'responses-stream.one-name-for-all': events(() => ({ data }) => ({ name: 'message', data })),
    'responses-stream.no-names': events(() => ({ data }) => ({ name: null, data })),
    'responses-stream.done-without-text': data('response.output_text.done', dropping('text')),
    'responses-stream.delta-without-item': data(delta, dropping('item_id')),
    'responses-stream.created-without-response': data('response.in_progress', dropping('response')),
  }),
  ...planted({
    // Every event must have a number.
    'responses-stream.not-numbered': events(() => ({ name, data }) => ({
      name,
      data: without(data, 'sequence_number'),
    })),
    'responses-stream.numbers-restart': events(() => {
      let start = 0;
      return ({ name, data }, index) => {
        if (name === 'response.output_item.added') start = index;
        return { name, data: { ...data, sequence_number: index - start } };
      };
    }),
    'responses-stream.numbers-repeat': events(() => {
      let first: Json | undefined;
      return ({ name, data }) => {
        if (name !== delta) return { name, data };
        first ??= data.sequence_number;
        return { name, data: { ...data, sequence_number: first } };
      };
    }),
    'responses-stream.numbers-from-one': member('sequence_number', (number) => Number(number) + 1),
    'responses-stream.numbers-by-two': member('sequence_number', (number) => Number(number) * 2),
    'responses-stream.final-id-differs': data('response.completed', (event) =>
      changed(event, 'response.id', (id) => `${String(id)}_final`),
    ),
    'responses-stream.item-id-differs': data('response.output_item.done', (event) =>
      changed(event, 'item.id', (id) => `${String(id)}_done`),
    ),
    'responses-stream.call-id-differs': data('response.output_item.done', (event) =>
      changed(event, 'item.call_id', (id) => (id === undefined ? id : `${String(id)}_done`)),
    ),
    'responses-stream.item-not-added': missing('response.output_item.added'),
    'responses-stream.item-not-done': missing('response.output_item.done'),
    'responses-stream.part-not-added': missing('response.content_part.added'),
    'responses-stream.part-not-done': missing('response.content_part.done'),
    'responses-stream.items-from-one': member('output_index', (index) => Number(index) + 1),
    'responses-stream.parts-from-one': member('content_index', (index) => Number(index) + 1),
  }),
];
