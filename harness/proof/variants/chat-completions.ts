import type { JsonObject } from '../../reference/index.ts';
import { changed, dropping, memberAt, replacing, set, setting, without } from '../editing.ts';
import { bodiesOf, dataOf, eachEvent, streams, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

const protocol = 'chat-completions';
const content = 'choices.0.delta.content';
const finish = 'choices.0.finish_reason';

const inCompletions = bodiesOf('chat-completions.completion');
const inChunks = dataOf(protocol);

/** Removes log probabilities that are null. Requested ones are required. */
function withoutNullLogprobs(body: JsonObject): JsonObject {
  return changed(body, 'choices.0.logprobs', (logprobs) => logprobs ?? undefined);
}

export const chatCompletionsVariants: readonly Variant[] = planted({
  'chat-completions.ends-at-its-limit': inCompletions((body, { call }) =>
    call.body.max_tokens === undefined ? body : replacing(finish, 'length', 'stop')(body),
  ),
  'chat-completions.required-members-only': together(
    inCompletions((body) =>
      without(
        withoutNullLogprobs(body),
        'usage',
        'service_tier',
        'system_fingerprint',
        'choices.0.message.refusal',
        'choices.0.message.annotations',
      ),
    ),
    inChunks((chunk) =>
      without(
        withoutNullLogprobs(chunk),
        'service_tier',
        'system_fingerprint',
        'choices.0.delta.refusal',
      ),
    ),
  ),
  'chat-completions.more-usage': inCompletions((body) =>
    changed(body, 'usage', (usage) => ({ ...Object(usage), cost: 0.000_01, queue_time: 0.1 })),
  ),
  'chat-completions.usage-without-details': inCompletions(
    dropping('usage.prompt_tokens_details', 'usage.completion_tokens_details'),
  ),
  'chat-completions.dated-model': together(
    inCompletions((body) => set(body, 'model', `${body.model}-2026-10-01`)),
    inChunks((chunk) => set(chunk, 'model', `${chunk.model}-2026-10-01`)),
  ),
  'chat-completions.empty-content-of-call': inCompletions((body) =>
    changed(body, 'choices.0.message.content', (text) => text ?? ''),
  ),
  'chat-completions.reasoning-content': together(
    inCompletions(setting('choices.0.message.reasoning_content', 'Hm.')),
    eachEvent(protocol, () => (event, index) => {
      if (index !== 0 || typeof event.data === 'string') return event;
      const thought = changed(event.data, 'choices.0.delta', () => ({
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
      }));
      return [{ name: null, data: thought }, event];
    }),
  ),
  'chat-completions-stream.role-in-each-delta': inChunks((chunk) =>
    memberAt(chunk, 'choices.0.delta') === undefined
      ? chunk
      : set(chunk, 'choices.0.delta.role', 'assistant'),
  ),
  'chat-completions-stream.empty-deltas': eachEvent(protocol, () => (event) => {
    const piece = memberAt(event.data, content);
    if (typeof event.data === 'string' || typeof piece !== 'string') return event;
    return [event, { name: null, data: set(event.data, content, '') }];
  }),
  'chat-completions-stream.null-usage': inChunks((chunk) =>
    changed(chunk, 'usage', (usage) => usage ?? null),
  ),
  'chat-completions-stream.usage-absent-elsewhere': inChunks((chunk) =>
    chunk.usage === null ? without(chunk, 'usage') : chunk,
  ),
  'chat-completions-stream.finish-with-content': streams(protocol, async function* (events) {
    let held: JsonObject | null = null;
    for await (const event of events) {
      const reason = memberAt(event.data, finish);
      if (held !== null && typeof reason === 'string') {
        yield { name: null, data: set(held, finish, reason) };
        held = null;
        continue;
      }
      if (held !== null) yield { name: null, data: held };
      const isPiece = typeof memberAt(event.data, content) === 'string';
      held = isPiece && typeof event.data !== 'string' ? event.data : null;
      if (held === null) yield event;
    }
  }),
  'chat-completions-stream.role-with-content': streams(protocol, async function* (events) {
    let role: JsonObject | null = null;
    for await (const event of events) {
      const { data } = event;
      if (memberAt(data, content) === '' && typeof data !== 'string') role = data;
      else if (role !== null && typeof data !== 'string') {
        const isPiece = typeof memberAt(data, content) === 'string';
        if (!isPiece) yield { name: null, data: role };
        yield isPiece
          ? { name: null, data: set(data, 'choices.0.delta.role', 'assistant') }
          : event;
        role = null;
      } else yield event;
    }
  }),
  'chat-completions-stream.obfuscation': inChunks((chunk) => ({
    ...chunk,
    obfuscation: 'k3Jx9',
  })),
});
