import { Refusal, type StreamEvent } from '../../../reference/index.ts';
import { forgiving } from '../../decisions.ts';
import { changed, dropping, memberAt, replacing, set, setting, without } from '../../editing.ts';
import { bodiesOf, dataOf, eachEvent, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';
import { endingWithDone } from './streamed-text.ts';

const protocol = 'messages';

const inMessages = bodiesOf('messages.message');
const inEvents = dataOf(protocol);
const inCounts = bodiesOf('messages.count');

const withoutEvents = (type: string): Fault['override'] =>
  eachEvent(protocol, () => (event) => (event.name === type ? [] : event));

export const generationMessagesFaults: readonly Fault[] = [
  ...planted({
    'messages.no-stop-sequence': inMessages(dropping('stop_sequence')),
    'messages.content-is-text': inMessages((body) =>
      changed(body, 'content', (blocks) => memberAt(blocks, '0.text') ?? blocks),
    ),
    'messages.no-usage': inMessages(dropping('usage')),
    'messages.foreign-stop-reason': inMessages(replacing('stop_reason', 'end_turn', 'stop')),
    'messages.null-stop-reason': inMessages(setting('stop_reason', null)),
    'messages.cut-short-is-end-turn': inMessages(
      replacing('stop_reason', 'max_tokens', 'end_turn'),
    ),
    'messages.single-turn-only': handling('messages.create', (handle) => (call, key) => {
      if (typeof memberAt(call.body, 'messages.1.content') !== 'string') return handle(call, key);
      throw new Refusal('invalid-value', 'messages: at most one is allowed', 'messages');
    }),
    'messages.max-tokens-optional': forgiving(
      ({ param, reason }) => reason === 'missing-parameter' && param === 'max_tokens',
    ),
    'messages.max-tokens-optional-streaming': forgiving(
      ({ param, reason }, { body }) =>
        reason === 'missing-parameter' && param === 'max_tokens' && body.stream === true,
    ),
    'messages-count.wrong-member': inCounts(({ input_tokens }) => ({ total_tokens: input_tokens })),
    'messages-count.zero': inCounts(setting('input_tokens', 0)),
    'messages-count.as-text': inCounts((body) => changed(body, 'input_tokens', String)),
    'messages-count.max-tokens-required': handling(
      'messages.count-tokens',
      (handle) => (call, key) => {
        if (call.body.max_tokens !== undefined) return handle(call, key);
        throw new Refusal('missing-parameter', 'max_tokens: Field required', 'max_tokens');
      },
    ),
  }),
  ...planted({
    'messages-stream.no-event-lines': eachEvent(protocol, () => ({ data }) => ({
      name: null,
      data,
    })),
    'messages-stream.one-event-name': eachEvent(protocol, () => ({ data }) => ({
      name: 'message',
      data,
    })),
    'messages-stream.start-without-model': inEvents(dropping('message.model')),
    'messages-stream.block-without-type': inEvents(dropping('content_block.type')),
    'messages-stream.start-twice': eachEvent(
      protocol,
      () => (event) => (event.name === 'message_start' ? [event, event] : event),
    ),
    'messages-stream.start-filled': inEvents((data) =>
      data.type === 'message_start'
        ? set(data, 'message.content', [{ type: 'text', text: '' }])
        : data,
    ),
    'messages-stream.block-not-closed': withoutEvents('content_block_stop'),
    'messages-stream.block-not-opened': withoutEvents('content_block_start'),
    'messages-stream.delta-after-stop': eachEvent(protocol, () => {
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
    'messages-stream.foreign-stop-reason': inEvents((data) =>
      changed(data, 'delta', (delta) =>
        memberAt(delta, 'stop_reason') === 'end_turn'
          ? { ...Object(delta), stop_reason: 'stop' }
          : delta,
      ),
    ),
    'messages-stream.index-from-one': inEvents((data) =>
      changed(data, 'index', (index) => (typeof index === 'number' ? index + 1 : undefined)),
    ),
    'messages-stream.thinking-unsigned': eachEvent(
      protocol,
      () => (event) =>
        typeof event.data !== 'string' && memberAt(event.data, 'delta.type') === 'signature_delta'
          ? []
          : event,
    ),
    'messages-stream.blocks-overlap': eachEvent(protocol, () => {
      const event = (type: string, members: object): StreamEvent => ({
        name: type,
        data: { type, index: 1, ...members },
      });
      return (given) =>
        given.name !== 'content_block_stop'
          ? given
          : [
              event('content_block_start', {
                content_block: { type: 'thinking', thinking: '', signature: 'c2ln' },
              }),
              event('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
              given,
              event('content_block_stop', {}),
            ];
    }),
    'messages-stream.no-stop-reason': inEvents((data) =>
      data.type === 'message_delta' ? set(data, 'delta.stop_reason', null) : data,
    ),
    'messages-stream.stop-reason-early': eachEvent(protocol, () => {
      let stop: StreamEvent | null = null;
      return (event) => {
        if (event.name === 'content_block_stop') {
          stop = event;
          return [];
        }
        return event.name === 'message_delta' && stop !== null ? [event, stop] : event;
      };
    }),
    'messages-stream.no-message-stop': withoutEvents('message_stop'),
    'messages-stream.done': endingWithDone(protocol),
    'messages-stream.stop-twice': eachEvent(
      protocol,
      () => (event) => (event.name === 'message_stop' ? [event, event] : event),
    ),
    'messages-stream.no-usage-at-start': inEvents(dropping('message.usage')),
    'messages-stream.no-output-tokens': inEvents(dropping('usage.output_tokens')),
    'messages-stream.early-output-tokens': eachEvent(
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
  }),
];
