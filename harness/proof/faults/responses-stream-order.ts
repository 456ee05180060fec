import type { Json } from '../../reference/json.ts';
import { changed, without } from '../editing.ts';
import type { Fault } from './fault.ts';
import { data, events, member, missing } from './foreground-events.ts';

// The events of a stream: their numbers, and how items and parts are opened, counted and closed.

const delta = 'response.output_text.delta';

export const responsesStreamOrderFaults: readonly Fault[] = [
  {
    id: 'responses-stream.not-numbered',
    what: 'Events have no sequence number.',
    // A number is among what every event has to have.
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
