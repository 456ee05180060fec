import { Refusal, type StreamEvent } from '../../../reference/index.ts';
import { forgiving } from '../../decisions.ts';
import { changed, memberAt, set, without } from '../../editing.ts';
import { bodies, eachData, eachEvent, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { constantCount, conversationOptional, limitFaults } from './across-protocols.ts';
import { endingWithDone, streamedTextFaults } from './streamed-text.ts';

const protocol = 'messages';
const message = 'messages.message';

const messagesFaults: readonly Fault[] = [
  {
    id: 'messages.no-stop-sequence',
    what: 'A message lacks `stop_sequence` where none was met, instead of null.',
    breaks: ['generation/messages.shape'],
    override: bodies(message, (body) => without(body, 'stop_sequence')),
  },
  {
    id: 'messages.content-is-text',
    what: 'The content of a message is a string, as in Chat Completions.',
    breaks: ['generation/messages.shape'],
    override: bodies(message, (body) =>
      changed(body, 'content', (blocks) => memberAt(blocks, '0.text') ?? blocks),
    ),
  },
  {
    id: 'messages.no-usage',
    what: 'A message has no usage.',
    breaks: ['generation/messages.shape'],
    override: bodies(message, (body) => without(body, 'usage')),
  },
  {
    id: 'messages.foreign-stop-reason',
    what: 'A message ends with `stop`, as in Chat Completions.',
    breaks: ['everywhere/native.ending-fits-request:messages'],
    override: bodies(message, (body) =>
      changed(body, 'stop_reason', (reason) => (reason === 'end_turn' ? 'stop' : reason)),
    ),
  },
  {
    id: 'messages.null-stop-reason',
    what: 'A message that has ended has the stop reason null, as in `message_start`.',
    breaks: ['everywhere/native.ending-fits-request:messages'],
    override: bodies(message, (body) => set(body, 'stop_reason', null)),
  },
  {
    id: 'messages.cut-short-is-end-turn',
    what: 'A message that was cut at its limit ends with `end_turn`.',
    breaks: ['generation/messages.truncated-is-max-tokens'],
    override: bodies(message, (body) =>
      changed(body, 'stop_reason', (reason) => (reason === 'max_tokens' ? 'end_turn' : reason)),
    ),
  },
  conversationOptional(protocol),
  {
    id: 'messages.single-turn-only',
    what: "A conversation is refused when the assistant's own turn is in it.",
    breaks: ['generation/messages.conversation-served'],
    override: handling('messages.create', (handle) => (call, key) => {
      if (typeof memberAt(call.body, 'messages.1.content') !== 'string') return handle(call, key);
      throw new Refusal('invalid-value', 'messages: at most one is allowed', 'messages');
    }),
  },
  ...limitFaults(protocol),
  {
    id: 'messages.max-tokens-optional',
    what: 'A request without `max_tokens` is answered.',
    breaks: ['generation/messages.max-tokens-required'],
    override: forgiving(
      ({ param, reason }) => reason === 'missing-parameter' && param === 'max_tokens',
    ),
  },
  {
    id: 'messages.max-tokens-optional-streaming',
    what: 'A request without `max_tokens` is answered when it asks for a stream.',
    breaks: ['generation/messages.max-tokens-required'],
    override: forgiving(
      ({ param, reason }, { body }) =>
        reason === 'missing-parameter' && param === 'max_tokens' && body.stream === true,
    ),
  },
  {
    id: 'messages-count.wrong-member',
    what: 'A count is answered as `total_tokens`.',
    breaks: ['counting/messages.shape'],
    override: bodies('messages.count', ({ input_tokens }) => ({ total_tokens: input_tokens })),
  },
  {
    id: 'messages-count.zero',
    what: 'Every count is 0.',
    breaks: ['counting/messages.shape'],
    override: bodies('messages.count', (body) => set(body, 'input_tokens', 0)),
  },
  {
    id: 'messages-count.as-text',
    what: 'A count is a string of digits.',
    breaks: ['counting/messages.shape'],
    override: bodies('messages.count', (body) => changed(body, 'input_tokens', String)),
  },
  {
    id: 'messages-count.max-tokens-required',
    what: 'A count is refused without `max_tokens`, as a message is.',
    breaks: ['counting/messages.no-max-tokens-needed'],
    override: handling('messages.count-tokens', (handle) => (call, key) => {
      if (call.body.max_tokens !== undefined) return handle(call, key);
      throw new Refusal('missing-parameter', 'max_tokens: Field required', 'max_tokens');
    }),
  },
  constantCount(protocol),
];

/** Drops the events of a type. */
const dropping = (type: string): Fault['override'] =>
  eachEvent(protocol, () => (event) => (event.name === type ? [] : event));

const messagesStreamFaults: readonly Fault[] = [
  {
    id: 'messages-stream.no-event-lines',
    what: 'Events are data only, as in Chat Completions.',
    breaks: ['generation/messages-stream.event-name-is-type'],
    override: eachEvent(protocol, () => ({ data }) => ({ name: null, data })),
  },
  {
    id: 'messages-stream.one-event-name',
    what: 'Every event is named `message`.',
    breaks: ['generation/messages-stream.event-name-is-type'],
    override: eachEvent(protocol, () => ({ data }) => ({ name: 'message', data })),
  },
  {
    id: 'messages-stream.start-without-model',
    what: 'The message in `message_start` does not name the model.',
    breaks: ['generation/messages-stream.known-event-shapes'],
    override: eachData(protocol, (data) => without(data, 'message.model')),
  },
  {
    id: 'messages-stream.block-without-type',
    what: 'The block in `content_block_start` does not say what it is.',
    breaks: ['generation/messages-stream.known-event-shapes'],
    override: eachData(protocol, (data) => without(data, 'content_block.type')),
  },
  {
    id: 'messages-stream.start-twice',
    what: 'The gateway sends its own `message_start`, and then that of the channel.',
    breaks: ['generation/messages-stream.message-start-once-first'],
    override: eachEvent(
      protocol,
      () => (event) => (event.name === 'message_start' ? [event, event] : event),
    ),
  },
  {
    id: 'messages-stream.start-filled',
    what: 'The message in `message_start` already has a block.',
    breaks: ['generation/messages-stream.message-start-once-first'],
    override: eachData(protocol, (data) =>
      data.type === 'message_start'
        ? set(data, 'message.content', [{ type: 'text', text: '' }])
        : data,
    ),
  },
  {
    id: 'messages-stream.block-not-closed',
    what: 'A content block is never stopped.',
    breaks: ['generation/messages-stream.blocks-open-and-close'],
    override: dropping('content_block_stop'),
  },
  {
    id: 'messages-stream.block-not-opened',
    what: 'A content block begins with its first delta.',
    breaks: ['generation/messages-stream.blocks-open-and-close'],
    override: dropping('content_block_start'),
  },
  {
    id: 'messages-stream.delta-after-stop',
    what: 'The last delta of a block comes after its stop.',
    breaks: ['generation/messages-stream.blocks-open-and-close'],
    override: eachEvent(protocol, () => {
      let held: StreamEvent[] = [];
      return (event) => {
        const before = held;
        held = [];
        if (event.name === 'content_block_stop') return [event, ...before];
        if (event.name !== 'content_block_delta') return [...before, event];
        held = [event];
        return before;
      };
    }),
  },
  {
    id: 'messages-stream.foreign-stop-reason',
    what: 'A stream ends with `stop`, as in Chat Completions.',
    breaks: ['everywhere/native.ending-fits-request:messages'],
    override: eachData(protocol, (data) =>
      changed(data, 'delta', (delta) =>
        memberAt(delta, 'stop_reason') === 'end_turn'
          ? { ...Object(delta), stop_reason: 'stop' }
          : delta,
      ),
    ),
  },
  {
    id: 'messages-stream.index-from-one',
    what: 'Content blocks are counted from 1.',
    breaks: ['generation/messages-stream.indexes-in-order'],
    override: eachData(protocol, (data) =>
      changed(data, 'index', (index) => (typeof index === 'number' ? index + 1 : undefined)),
    ),
  },
  {
    id: 'messages-stream.blocks-overlap',
    what: 'A second block is opened and filled while the first is still open.',
    breaks: ['generation/messages-stream.no-overlap'],
    override: eachEvent(protocol, () => {
      const event = (type: string, members: object): StreamEvent => ({
        name: type,
        data: { type, index: 1, ...members },
      });
      return (given) =>
        given.name !== 'content_block_stop'
          ? given
          : [
              event('content_block_start', { content_block: { type: 'thinking', thinking: '' } }),
              event('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
              given,
              event('content_block_stop', {}),
            ];
    }),
  },
  {
    id: 'messages-stream.no-stop-reason',
    what: 'The `message_delta` at the end has the stop reason null.',
    breaks: ['generation/messages-stream.stop-reason-before-stop'],
    override: eachData(protocol, (data) =>
      data.type === 'message_delta' ? set(data, 'delta.stop_reason', null) : data,
    ),
  },
  {
    id: 'messages-stream.stop-reason-early',
    what: 'The stop reason comes before the block is closed.',
    breaks: ['generation/messages-stream.stop-reason-before-stop'],
    override: eachEvent(protocol, () => {
      let stop: StreamEvent | null = null;
      return (event) => {
        if (event.name === 'content_block_stop') {
          stop = event;
          return [];
        }
        return event.name === 'message_delta' && stop !== null ? [event, stop] : event;
      };
    }),
  },
  {
    id: 'messages-stream.no-message-stop',
    what: 'A stream ends after its `message_delta`.',
    breaks: ['generation/messages-stream.message-stop-last'],
    override: dropping('message_stop'),
  },
  {
    id: 'messages-stream.done',
    what: 'A stream ends with [DONE], as in Chat Completions.',
    breaks: ['generation/messages-stream.message-stop-last'],
    override: endingWithDone(protocol),
  },
  {
    id: 'messages-stream.stop-twice',
    what: 'The `message_stop` is sent twice.',
    breaks: ['generation/messages-stream.message-stop-last'],
    override: eachEvent(
      protocol,
      () => (event) => (event.name === 'message_stop' ? [event, event] : event),
    ),
  },
  ...streamedTextFaults(protocol, 'delta.text'),
  {
    id: 'messages-stream.no-usage-at-start',
    what: 'The message in `message_start` has no usage.',
    breaks: ['generation/messages-stream.usage-present'],
    override: eachData(protocol, (data) => without(data, 'message.usage')),
  },
  {
    id: 'messages-stream.no-output-tokens',
    what: 'The `message_delta` at the end does not say how many tokens were written.',
    breaks: ['generation/messages-stream.usage-present'],
    override: eachData(protocol, (data) => without(data, 'usage.output_tokens')),
  },
  {
    id: 'messages-stream.early-output-tokens',
    what: 'A first `message_delta` says how many tokens were written, and the last one does not.',
    breaks: ['generation/messages-stream.usage-present'],
    override: eachEvent(
      protocol,
      () =>
        ({ name, data }) =>
          name === 'message_delta' && typeof data !== 'string'
            ? [
                { name, data: set(data, 'delta', { stop_reason: null, stop_sequence: null }) },
                { name, data: without(data, 'usage') },
              ]
            : { name, data },
    ),
  },
];

export const generationMessagesFaults: readonly Fault[] = [
  ...messagesFaults,
  ...messagesStreamFaults,
];
