import type { StreamEvent } from '../../reference/dialect.ts';
import { changed, set, without } from '../editing.ts';
import type { Fault } from './fault.ts';
import { data, events, missing, renumbered } from './foreground-events.ts';

// The events of a stream: what they say, how they are named, which come first and last.

const delta = 'response.output_text.delta';
const completed = 'response.completed';
const finalText = 'response.output.0.content.0.text';

export const responsesStreamFaults: readonly Fault[] = [
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
    what: 'The final response has no output: it was streamed, after all.',
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
    override: events(() => (event) => ({ ...event, name: 'message' })),
  },
  {
    id: 'responses-stream.no-names',
    what: 'Events have no `event:` line.',
    breaks: ['generation/responses-stream.event-name-present'],
    override: events(() => (event) => ({ ...event, name: null })),
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
