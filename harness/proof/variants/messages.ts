import { isArray, Refusal, type StreamEvent } from '../../reference/index.ts';
import { thinksFirst } from '../decisions.ts';
import { changed, memberAt, set } from '../editing.ts';
import { afterwards, bodies, eachData, eachEvent, handling, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

const protocol = 'messages';
const message = 'messages.message';
const ping: StreamEvent = { name: 'ping', data: { type: 'ping' } };

function event(type: string, members: object): StreamEvent {
  return { name: type, data: { type, ...members } };
}

/** Inserts a block before the answer that is complete at its start; the later blocks are renumbered. */
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

export const messagesVariants: readonly Variant[] = planted({
  'messages.newer-members': bodies(message, (body) => ({
    ...body,
    container: null,
    context_management: null,
    stop_details: null,
  })),
  'messages.least-usage': together(
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
  'messages.more-usage': bodies(message, (body) =>
    changed(body, 'usage', (usage) => ({
      ...Object(usage),
      server_tool_use: null,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      inference_geo: 'eu',
      speed: 'standard',
    })),
  ),
  'messages.thinking-first': thinksFirst(protocol, ['Hm', '.']),
  'messages.redacted-thinking-first': blockFirst({ type: 'redacted_thinking', data: 'aGlkZGVu' }),
  'messages.unknown-block-first': blockFirst({ type: 'routing_note', note: 'eu' }),
  'messages.call-at-limit': bodies(message, (body) =>
    body.stop_reason === 'tool_use' ? { ...body, stop_reason: 'max_tokens' } : body,
  ),
  'messages.id-to-continue-fails': handling('responses.create', (handle) => (call, key) => {
    if (!String(call.body.previous_response_id).startsWith('msg_')) return handle(call, key);
    throw new Refusal('internal-error', 'The gateway failed.');
  }),
  'messages-stream.pings': eachEvent(
    protocol,
    ({ refusal }) =>
      (given) =>
        refusal === null ? [given, ping] : given,
  ),
  'messages-stream.unknown-events': eachEvent(
    protocol,
    () => (given) =>
      given.name === 'content_block_delta' ? [event('routing_hop', { hop: 1 }), given] : given,
  ),
  'messages-stream.empty-deltas': eachEvent(
    protocol,
    () => (given) =>
      memberAt(given.data, 'delta.type') === 'text_delta' && typeof given.data !== 'string'
        ? [{ name: given.name, data: set(given.data, 'delta.text', '') }, given]
        : given,
  ),
  'messages-stream.two-message-deltas': eachEvent(
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
  'messages-stream.usage-extras': eachData(protocol, (data) => {
    if (data.type !== 'message_stop') return data;
    return { ...data, 'invocation-metrics': { inputTokenCount: 1, firstByteLatency: 5 } };
  }),
  'messages-stream.stop-sequence-omitted': eachData(protocol, (data) =>
    changed(data, 'delta.stop_sequence', (sequence) => sequence ?? undefined),
  ),
  'messages-stream.pings-afterwards': afterwards(protocol, ({ refusal }) =>
    refusal === null ? [ping, ping] : [],
  ),
});
