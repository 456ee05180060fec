import type { StreamEvent } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import type { Run } from '../run.ts';
import { type CompletionHead, finishReason, usage } from './completion.ts';

/**
 * The delta chunks of one answer: the role, the text or the call's arguments piece by piece, the finish
 * reason, with `include_usage` one chunk without choices that has the usage, and `[DONE]`.
 *
 * @param includeUsage then every other chunk says `usage: null`
 */
export async function* chunks(
  head: CompletionHead,
  run: Run,
  includeUsage: boolean,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { generation } = run;
  const chunk = (choices: readonly JsonObject[], used: JsonObject | null = null): StreamEvent => ({
    name: null,
    data: {
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
      service_tier: 'default',
      system_fingerprint: null,
      choices,
      usage: includeUsage ? used : undefined,
    },
  });
  const delta = (content: JsonObject, finish: string | null = null): StreamEvent =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);

  yield delta(opening(head, generation.call));
  for await (const piece of run.pieces.follow(gone)) {
    yield delta(
      generation.call === null
        ? { content: piece }
        : { tool_calls: [{ index: 0, function: { arguments: piece } }] },
    );
  }
  if (gone.aborted) return;
  yield delta({}, finishReason(generation));
  if (includeUsage) yield chunk([], usage(generation.inputTokens, run.outputTokens));
  yield { name: null, data: '[DONE]' };
}

/** The role comes first; a call begins with its id and name, and its arguments follow. */
function opening({ callId }: CompletionHead, call: string | null): JsonObject {
  if (call === null) return { role: 'assistant', content: '', refusal: null };
  return {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [
      { index: 0, id: callId, type: 'function', function: { name: call, arguments: '' } },
    ],
  };
}
