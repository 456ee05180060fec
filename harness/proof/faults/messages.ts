import { Refusal } from '../../reference/refusal.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';
import { constantCount, conversationOptional, limitFaults } from './generations.ts';
import { forgiving } from './lenient-input.ts';

const protocol = 'messages';
const message = 'messages.message';

export const messagesFaults: readonly Fault[] = [
  {
    id: 'messages.no-stop-sequence',
    what: 'A message lacks `stop_sequence` where none was met, in place of null.',
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
    what: "A message ends with `stop`, Chat Completions' word for it.",
    breaks: ['generation/messages.stop-reason'],
    override: bodies(message, (body) =>
      changed(body, 'stop_reason', (reason) => (reason === 'end_turn' ? 'stop' : reason)),
    ),
  },
  {
    id: 'messages.null-stop-reason',
    what: 'A message that has ended has the stop reason null, as in `message_start`.',
    breaks: ['generation/messages.stop-reason'],
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
