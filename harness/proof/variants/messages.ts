import { isArray, Refusal, type StreamEvent } from '../../reference/index.ts';
import { thinksFirst } from '../decisions.ts';
import { changed, memberAt, set } from '../editing.ts';
import { afterwards, bodies, eachData, eachEvent, handling, together } from '../planting.ts';
import type { Variant } from './variant.ts';

const protocol = 'messages';
const message = 'messages.message';
const ping: StreamEvent = { name: 'ping', data: { type: 'ping' } };

function event(type: string, members: object): StreamEvent {
  return { name: type, data: { type, ...members } };
}

/** A block before the answer that is whole when it starts; the blocks after it move on by one. */
function blockFirst(block: object): Variant['override'] {
  return together(
    bodies(message, (body) =>
      changed(body, 'content', (content) =>
        isArray(content) && content.length > 0 ? [{ ...block }, ...content] : content,
      ),
    ),
    eachEvent(protocol, ({ refusal }) => ({ name, data }) => {
      if (typeof data === 'string' || refusal !== null) return { name, data };
      if (name === 'message_start') {
        return [
          { name, data },
          event('content_block_start', { index: 0, content_block: block }),
          event('content_block_stop', { index: 0 }),
        ];
      }
      const moved = changed(data, 'index', (index) =>
        typeof index === 'number' ? index + 1 : undefined,
      );
      return { name, data: moved };
    }),
  );
}

export const messagesVariants: readonly Variant[] = [
  {
    id: 'messages.newer-members',
    what: 'A message has the members of the newest version, all null.',
    override: bodies(message, (body) => ({
      ...body,
      container: null,
      context_management: null,
      stop_details: null,
    })),
  },
  {
    id: 'messages.least-usage',
    what: 'The usage has its two counts alone.',
    override: together(
      bodies(message, (body) =>
        changed(body, 'usage', (usage) => ({
          input_tokens: memberAt(usage, 'input_tokens'),
          output_tokens: memberAt(usage, 'output_tokens'),
        })),
      ),
      eachData(protocol, (data) =>
        data.type === 'message_delta'
          ? changed(data, 'usage', (usage) => ({
              output_tokens: memberAt(usage, 'output_tokens'),
            }))
          : data,
      ),
    ),
  },
  {
    id: 'messages.more-usage',
    what: 'The usage has details that are null, and more than are documented.',
    override: bodies(message, (body) =>
      changed(body, 'usage', (usage) => ({
        ...Object(usage),
        server_tool_use: null,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        inference_geo: 'eu',
        speed: 'standard',
      })),
    ),
  },
  {
    id: 'messages.thinking-first',
    what: 'A thinking block comes before the answer.',
    override: thinksFirst(protocol, ['Hm', '.']),
  },
  {
    id: 'messages.redacted-thinking-first',
    what: 'A block of redacted thinking, without any delta, comes before the answer.',
    override: blockFirst({ type: 'redacted_thinking', data: 'aGlkZGVu' }),
  },
  {
    id: 'messages.unknown-block-first',
    what: 'A block of a type that no documentation has comes before the answer.',
    override: blockFirst({ type: 'routing_note', note: 'eu' }),
  },
  {
    id: 'messages.call-at-limit',
    what: 'The limit is reached when a call is whole, and the `stop_reason` says so.',
    override: bodies(message, (body) =>
      body.stop_reason === 'tool_use' ? { ...body, stop_reason: 'max_tokens' } : body,
    ),
  },
  {
    id: 'messages.id-to-continue-fails',
    what: 'The id of a message as `previous_response_id` is answered with 500, and shows nothing of it.',
    override: handling('responses.create', (handle) => (call, key) => {
      if (!String(call.body.previous_response_id).startsWith('msg_')) return handle(call, key);
      throw new Refusal('internal-error', 'The gateway failed.');
    }),
  },
  {
    id: 'messages-stream.pings',
    what: 'A ping comes between any two events, and after the last.',
    override: eachEvent(
      protocol,
      ({ refusal }) =>
        (given) =>
          refusal === null ? [given, ping] : given,
    ),
  },
  {
    id: 'messages-stream.unknown-events',
    what: 'An event that no documentation has comes between the others.',
    override: eachEvent(
      protocol,
      () => (given) =>
        given.name === 'content_block_delta' ? [event('routing_hop', { hop: 1 }), given] : given,
    ),
  },
  {
    id: 'messages-stream.empty-deltas',
    what: 'Some deltas have an empty text.',
    override: eachEvent(
      protocol,
      () => (given) =>
        memberAt(given.data, 'delta.type') === 'text_delta' && typeof given.data !== 'string'
          ? [{ name: given.name, data: set(given.data, 'delta.text', '') }, given]
          : given,
    ),
  },
  {
    id: 'messages-stream.two-message-deltas',
    what: 'A first `message_delta` has the usage so far, a second the stop reason.',
    override: eachEvent(
      protocol,
      () =>
        ({ name, data }) =>
          name === 'message_delta' && typeof data !== 'string'
            ? [
                { name, data: set(data, 'delta', { stop_reason: null, stop_sequence: null }) },
                { name, data },
              ]
            : { name, data },
    ),
  },
  {
    id: 'messages-stream.usage-extras',
    what: 'The `message_delta` counts the input tokens again, and the `message_stop` has metrics.',
    override: eachData(protocol, (data) => {
      if (data.type !== 'message_stop') return data;
      return { ...data, 'invocation-metrics': { inputTokenCount: 1, firstByteLatency: 5 } };
    }),
  },
  {
    id: 'messages-stream.stop-sequence-omitted',
    what: 'The `message_delta` leaves out what is null.',
    override: eachData(protocol, (data) =>
      changed(data, 'delta.stop_sequence', (sequence) => sequence ?? undefined),
    ),
  },
  {
    id: 'messages-stream.pings-afterwards',
    what: 'Pings follow the end of a message.',
    override: afterwards(protocol, ({ refusal }) => (refusal === null ? [ping, ping] : [])),
  },
];
