import type {
  Defect,
  Json,
  JsonObject,
  StreamContext,
  StreamEvent,
} from '../../../reference/index.ts';
import { changed, set, without } from '../../editing.ts';
import { eachEvent } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// The events of a stream that was asked for in the foreground. Those of a background run and of a
// WebSocket stay as they are, so that what is built on them is still judged.

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

/** Replaces events, and numbers the result without a gap. */
function renumbered(change: () => Change): Defect['override'] {
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

/** Leaves all events of one type out. */
function missing(type: string): Defect['override'] {
  return renumbered(() => (event) => (event.name === type ? [] : event));
}

/** Changes the data of the events of one type. */
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

// The events of a stream: their content, names, first and last.

const delta = 'response.output_text.delta';
const completed = 'response.completed';
const finalText = 'response.output.0.content.0.text';

const responsesStreamFaults: readonly Fault[] = [
  {
    id: 'responses-stream.untyped',
    what: 'The type of an event stands in its `event:` line only.',
    breaks: ['generation/responses-stream.events-typed'],
    override: data('response.in_progress', (event) => without(event, 'type')),
  },
  {
    id: 'responses-stream.delta-lost',
    what: 'The third piece of the text is lost on the way.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: renumbered(() => {
      let pieces = 0;
      return (event) => (event.name === delta && ++pieces === 3 ? [] : event);
    }),
  },
  {
    id: 'responses-stream.deltas-trimmed',
    what: 'Each piece of the text loses the space at its beginning.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: data(delta, (event) => set(event, 'delta', String(event.delta).trim())),
  },
  {
    id: 'responses-stream.deltas-cumulative',
    what: 'Each delta has the whole text so far.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: events(() => {
      let text = '';
      return (event) => {
        if (event.name !== delta) return event;
        text += String(event.data.delta);
        return { name: delta, data: set(event.data, 'delta', text) };
      };
    }),
  },
  {
    id: 'responses-stream.done-text-short',
    what: '`response.output_text.done` lacks the end of the text.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: data('response.output_text.done', (event) =>
      set(event, 'text', String(event.text).slice(0, -1)),
    ),
  },
  {
    id: 'responses-stream.final-text-short',
    what: 'The final response lacks the end of the text.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: data(completed, (event) =>
      changed(event, finalText, (text) => String(text).slice(0, -1)),
    ),
  },
  {
    id: 'responses-stream.final-output-empty',
    what: 'The final response of a stream has no output.',
    breaks: ['generation/responses-stream.deltas-join-to-text'],
    override: data(completed, (event) => set(event, 'response.output', [])),
  },
  {
    id: 'responses-stream.not-created',
    what: 'A stream begins with `response.in_progress`.',
    breaks: ['generation/responses-stream.created-first'],
    override: missing('response.created'),
  },
  {
    id: 'responses-stream.created-second',
    what: '`response.in_progress` comes before `response.created`.',
    breaks: ['generation/responses-stream.created-first'],
    override: renumbered(() => {
      let first: StreamEvent | null = null;
      return (event, index) => {
        if (index === 0) {
          first = event;
          return [];
        }
        return index === 1 && first !== null ? [event, first] : event;
      };
    }),
  },
  {
    id: 'responses-stream.no-terminal',
    what: 'A stream just ends.',
    breaks: ['generation/responses-stream.one-terminal-last'],
    override: missing(completed),
  },
  {
    id: 'responses-stream.two-terminals',
    what: 'The terminal event is sent twice.',
    breaks: ['generation/responses-stream.one-terminal-last'],
    override: renumbered(() => (event) => (event.name === completed ? [event, event] : event)),
  },
  {
    id: 'responses-stream.usage-after-terminal',
    what: 'An event with the usage follows the terminal one.',
    breaks: ['generation/responses-stream.one-terminal-last'],
    override: renumbered(() => (event) => {
      if (event.name !== completed) return event;
      const type = 'response.usage';
      return [event, { name: type, data: { type, usage: event.data.response } }];
    }),
  },
  {
    id: 'responses-stream.completed-in-progress',
    what: 'The response in the terminal event still says `in_progress`.',
    breaks: ['generation/responses-stream.terminal-matches-status'],
    override: data(completed, (event) => set(event, 'response.status', 'in_progress')),
  },
  {
    id: 'responses-stream.completed-at-once',
    what: 'The response in `response.created` says `completed`.',
    breaks: ['generation/responses-stream.status-while-running'],
    override: data('response.created', (event) => set(event, 'response.status', 'completed')),
  },
  {
    id: 'responses-stream.one-name-for-all',
    what: 'Every event has the line `event: message`.',
    breaks: ['generation/responses-stream.event-name-is-type'],
    override: events(() => ({ data }) => ({ name: 'message', data })),
  },
  {
    id: 'responses-stream.no-names',
    what: 'Events have no `event:` line.',
    breaks: ['generation/responses-stream.event-name-present'],
    override: events(() => ({ data }) => ({ name: null, data })),
  },
  {
    id: 'responses-stream.done-without-text',
    what: '`response.output_text.done` has no text.',
    breaks: ['generation/responses-stream.known-event-shapes'],
    override: data('response.output_text.done', (event) => without(event, 'text')),
  },
  {
    id: 'responses-stream.delta-without-item',
    what: 'The pieces of the text do not say which item they belong to.',
    breaks: ['generation/responses-stream.known-event-shapes'],
    override: data(delta, (event) => without(event, 'item_id')),
  },
  {
    id: 'responses-stream.created-without-response',
    what: '`response.in_progress` carries no response.',
    breaks: ['generation/responses-stream.known-event-shapes'],
    override: data('response.in_progress', (event) => without(event, 'response')),
  },
];

// The events of a stream: sequence numbers, and the order of items and parts.

const responsesStreamOrderFaults: readonly Fault[] = [
  {
    id: 'responses-stream.not-numbered',
    what: 'Events have no sequence number.',
    // Every event has to have a number.
    breaks: ['generation/responses-stream.known-event-shapes'],
    override: events(() => ({ name, data }) => ({ name, data: without(data, 'sequence_number') })),
  },
  {
    id: 'responses-stream.numbers-restart',
    what: 'Sequence numbers start again with each output item.',
    breaks: ['generation/responses-stream.sequence-increases'],
    override: events(() => {
      let start = 0;
      return ({ name, data }, index) => {
        if (name === 'response.output_item.added') start = index;
        return { name, data: { ...data, sequence_number: index - start } };
      };
    }),
  },
  {
    id: 'responses-stream.numbers-repeat',
    what: 'The pieces of the text have one sequence number between them.',
    breaks: ['generation/responses-stream.sequence-increases'],
    override: events(() => {
      let first: Json | undefined;
      return ({ name, data }) => {
        if (name !== delta) return { name, data };
        first ??= data.sequence_number;
        return { name, data: { ...data, sequence_number: first } };
      };
    }),
  },
  {
    id: 'responses-stream.numbers-from-one',
    what: 'Sequence numbers start at 1.',
    breaks: ['generation/responses-stream.sequence-from-zero'],
    override: member('sequence_number', (number) => Number(number) + 1),
  },
  {
    id: 'responses-stream.numbers-by-two',
    what: 'Sequence numbers go up by 2.',
    breaks: ['generation/responses-stream.sequence-from-zero'],
    override: member('sequence_number', (number) => Number(number) * 2),
  },
  {
    id: 'responses-stream.final-id-differs',
    what: 'The terminal event carries a response with another id.',
    breaks: ['generation/responses-stream.ids-constant'],
    override: data('response.completed', (event) =>
      changed(event, 'response.id', (id) => `${String(id)}_final`),
    ),
  },
  {
    id: 'responses-stream.item-id-differs',
    what: 'An output item is done under another id than it was added.',
    breaks: ['generation/responses-stream.ids-constant'],
    override: data('response.output_item.done', (event) =>
      changed(event, 'item.id', (id) => `${String(id)}_done`),
    ),
  },
  {
    id: 'responses-stream.call-id-differs',
    what: 'A call is done under another `call_id` than it was added.',
    breaks: ['generation/responses-stream.ids-constant'],
    override: data('response.output_item.done', (event) =>
      changed(event, 'item.call_id', (id) => (id === undefined ? id : `${String(id)}_done`)),
    ),
  },
  {
    id: 'responses-stream.item-not-added',
    what: 'No output item is added.',
    breaks: ['generation/responses-stream.items-open-and-close'],
    override: missing('response.output_item.added'),
  },
  {
    id: 'responses-stream.item-not-done',
    what: 'No output item is done.',
    breaks: ['generation/responses-stream.items-open-and-close'],
    override: missing('response.output_item.done'),
  },
  {
    id: 'responses-stream.part-not-added',
    what: 'No part of the content is added.',
    breaks: ['generation/responses-stream.parts-open-and-close'],
    override: missing('response.content_part.added'),
  },
  {
    id: 'responses-stream.part-not-done',
    what: 'No part of the content is done.',
    breaks: ['generation/responses-stream.parts-open-and-close'],
    override: missing('response.content_part.done'),
  },
  {
    id: 'responses-stream.items-from-one',
    what: 'Output items are counted from 1.',
    breaks: ['generation/responses-stream.indexes-append'],
    override: member('output_index', (index) => Number(index) + 1),
  },
  {
    id: 'responses-stream.parts-from-one',
    what: 'The parts of an item are counted from 1.',
    breaks: ['generation/responses-stream.indexes-append'],
    override: member('content_index', (index) => Number(index) + 1),
  },
];

export const generationResponsesStreamFaults: readonly Fault[] = [
  ...responsesStreamFaults,
  ...responsesStreamOrderFaults,
];
