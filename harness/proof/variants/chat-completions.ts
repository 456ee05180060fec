import type { JsonObject } from '../../reference/index.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, eachData, eachEvent, streams, together } from '../planting.ts';
import type { Variant } from './variant.ts';

const protocol = 'chat-completions';
const completion = 'chat-completions.completion';
const content = 'choices.0.delta.content';
const finish = 'choices.0.finish_reason';

/** Removes log probabilities that are null. Requested ones are required. */
function withoutNullLogprobs(body: JsonObject): JsonObject {
  return changed(body, 'choices.0.logprobs', (logprobs) => logprobs ?? undefined);
}

export const chatCompletionsVariants: readonly Variant[] = [
  {
    id: 'chat-completions.required-members-only',
    what: 'Completions and chunks have the members that are required, and no more.',
    override: together(
      bodies(completion, (body) =>
        without(
          withoutNullLogprobs(body),
          'usage',
          'service_tier',
          'system_fingerprint',
          'choices.0.message.refusal',
          'choices.0.message.annotations',
        ),
      ),
      eachData(protocol, (chunk) =>
        without(
          withoutNullLogprobs(chunk),
          'service_tier',
          'system_fingerprint',
          'choices.0.delta.refusal',
        ),
      ),
    ),
  },
  {
    id: 'chat-completions.more-usage',
    what: 'The usage has more details than are documented.',
    override: bodies(completion, (body) =>
      changed(body, 'usage', (usage) => ({ ...Object(usage), cost: 0.000_01, queue_time: 0.1 })),
    ),
  },
  {
    id: 'chat-completions.usage-without-details',
    what: 'The usage has its three counts alone.',
    override: bodies(completion, (body) =>
      without(body, 'usage.prompt_tokens_details', 'usage.completion_tokens_details'),
    ),
  },
  {
    id: 'chat-completions.dated-model',
    what: 'The answer names the dated version of the model that was asked for.',
    override: together(
      bodies(completion, (body) => set(body, 'model', `${body.model}-2026-10-01`)),
      eachData(protocol, (chunk) => set(chunk, 'model', `${chunk.model}-2026-10-01`)),
    ),
  },
  {
    id: 'chat-completions.empty-content-of-call',
    what: 'The message of a tool call has an empty text in place of null.',
    override: bodies(completion, (body) =>
      changed(body, 'choices.0.message.content', (text) => text ?? ''),
    ),
  },
  {
    id: 'chat-completions.reasoning-content',
    what: 'The message shows the reasoning in a member of its own.',
    override: together(
      bodies(completion, (body) => set(body, 'choices.0.message.reasoning_content', 'Hm.')),
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
  },
  {
    id: 'chat-completions-stream.role-in-each-delta',
    what: 'Every delta repeats the role.',
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, 'choices.0.delta') === undefined
        ? chunk
        : set(chunk, 'choices.0.delta.role', 'assistant'),
    ),
  },
  {
    id: 'chat-completions-stream.empty-deltas',
    what: 'Some deltas have an empty text.',
    override: eachEvent(protocol, () => (event) => {
      const piece = memberAt(event.data, content);
      if (typeof event.data === 'string' || typeof piece !== 'string') return event;
      return [event, { name: null, data: set(event.data, content, '') }];
    }),
  },
  {
    id: 'chat-completions-stream.null-usage',
    what: 'Chunks have the usage null though the request did not ask for it.',
    override: eachData(protocol, (chunk) => changed(chunk, 'usage', (usage) => usage ?? null)),
  },
  {
    id: 'chat-completions-stream.usage-absent-elsewhere',
    what: 'Chunks without the usage do not mention it.',
    override: eachData(protocol, (chunk) =>
      chunk.usage === null ? without(chunk, 'usage') : chunk,
    ),
  },
  {
    id: 'chat-completions-stream.finish-with-content',
    what: 'The finish reason stands beside the last piece of the text.',
    override: streams(protocol, async function* (events) {
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
  },
  {
    id: 'chat-completions-stream.role-with-content',
    what: 'The role stands beside the first piece of the text.',
    override: streams(protocol, async function* (events) {
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
  },
  {
    id: 'chat-completions-stream.obfuscation',
    what: 'Chunks carry an `obfuscation` that hides their length.',
    override: eachData(protocol, (chunk) => ({ ...chunk, obfuscation: 'k3Jx9' })),
  },
];
