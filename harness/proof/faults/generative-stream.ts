import { changed, memberAt, set, without } from '../editing.ts';
import { afterwards, eachData, eachEvent } from '../planting.ts';
import type { Fault } from './fault.ts';
import { lastLeftOpen } from './unclosed.ts';

const protocol = 'generative';
const finish = 'candidates.0.finishReason';
const text = 'candidates.0.content.parts.0.text';

export const generativeStreamFaults: readonly Fault[] = [
  {
    id: 'generative-stream.parts-no-list',
    what: 'The parts of a chunk are one object in place of a list.',
    breaks: ['generation/generative-stream.chunk-shape'],
    override: eachData(protocol, (chunk) =>
      changed(chunk, 'candidates.0.content.parts', (parts) => memberAt(parts, '0') ?? parts),
    ),
  },
  {
    id: 'generative-stream.counts-as-text',
    what: 'The counts of the usage are strings of digits, as 64-bit numbers are in protobuf JSON.',
    breaks: ['generation/generative-stream.chunk-shape'],
    override: eachData(protocol, (chunk) =>
      changed(chunk, 'usageMetadata.promptTokenCount', (count) =>
        count === undefined ? undefined : String(count),
      ),
    ),
  },
  {
    id: 'generative-stream.event-names',
    what: 'Events have an `event:` line.',
    breaks: ['generation/generative-stream.data-only'],
    override: eachEvent(protocol, () => ({ data }) => ({ name: 'message', data })),
  },
  {
    id: 'generative-stream.event-ids',
    what: 'Events have an `id:` line before their data.',
    breaks: ['generation/generative-stream.data-only'],
    override: ({ frames }) => ({
      frames: {
        serialize: (event, context) => {
          const written = frames.serialize(event, context);
          return context.call.dialect.name === protocol ? `id: 1\n${written}` : written;
        },
      },
    }),
  },
  {
    id: 'generative-stream.done',
    what: 'A stream ends with [DONE], as in Chat Completions.',
    breaks: ['generation/generative-stream.no-done'],
    override: afterwards(protocol, ({ refusal }) =>
      refusal === null ? [{ name: null, data: '[DONE]' }] : [],
    ),
  },
  {
    id: 'generative-stream.last-event-open',
    what: 'The last event of a stream is not closed by a blank line.',
    breaks: ['generation/generative-stream.ends-with-blank-line'],
    override: lastLeftOpen(protocol),
  },
  {
    id: 'generative-stream.no-finish',
    what: 'No chunk has a finish reason.',
    breaks: ['generation/generative-stream.finish-last'],
    override: eachData(protocol, (chunk) => without(chunk, finish)),
  },
  {
    id: 'generative-stream.finish-not-last',
    what: 'An empty candidate follows the one with the finish reason.',
    breaks: ['generation/generative-stream.finish-last'],
    override: eachEvent(protocol, () => (event) => {
      if (typeof event.data === 'string' || memberAt(event.data, finish) === undefined) {
        return event;
      }
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
  },
  {
    id: 'generative-stream.finish-on-each',
    what: 'Every chunk has the finish reason STOP.',
    breaks: ['generation/generative-stream.one-finish'],
    override: eachData(protocol, (chunk) => changed(chunk, finish, (reason) => reason ?? 'STOP')),
  },
  {
    id: 'generative-stream.cumulative-text',
    what: 'Each chunk repeats the whole text so far.',
    breaks: [
      'generation/generative-stream.no-repeated-text',
      'generation/generative-stream.deltas-join-to-text',
    ],
    override: eachEvent(protocol, () => {
      let whole = '';
      return ({ name, data }) => {
        const piece = memberAt(data, text);
        if (typeof data === 'string' || typeof piece !== 'string') return { name, data };
        whole += piece;
        return { name, data: set(data, text, whole) };
      };
    }),
  },
  {
    id: 'generative-stream.piece-lost',
    what: 'The third piece of the text is lost on the way.',
    breaks: ['generation/generative-stream.deltas-join-to-text'],
    override: eachEvent(protocol, () => (event, index) => (index === 2 ? [] : event)),
  },
  {
    id: 'generative-stream.no-text',
    what: 'The parts of the chunks are empty texts.',
    breaks: ['generation/generative-stream.deltas-join-to-text'],
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, text) === undefined ? chunk : set(chunk, text, ''),
    ),
  },
  {
    id: 'generative-stream.id-per-chunk',
    what: 'Each chunk has a `responseId` of its own.',
    breaks: ['generation/generative-stream.response-id-constant'],
    override: eachData(protocol, (chunk, index) =>
      changed(chunk, 'responseId', (id) => (id === undefined ? id : `${id}${index}`)),
    ),
  },
  {
    id: 'generative-stream.no-usage-at-end',
    what: 'The last chunk has no usage, the ones before it have.',
    breaks: ['generation/generative-stream.usage-on-last'],
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, finish) === undefined ? chunk : without(chunk, 'usageMetadata'),
    ),
  },
];

/** The pieces, the last of them with one line end less. */
