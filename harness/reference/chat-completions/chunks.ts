import type { StreamEvent } from '../dialect.ts';
import { calledName, outputsOf } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import type { Run } from '../run.ts';
import { type CompletionHead, callId, finishReason, logprobs, usage } from './completion.ts';

/**
 * The delta chunks of one answer, of each choice in turn: the role, the text or the call's arguments piece
 * by piece, the finish reason; with `include_usage` one chunk without choices that has the usage, and `[DONE]`.
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
  const delta = (
    index: number,
    content: JsonObject,
    told: JsonObject | null = null,
    finish: string | null = null,
  ): StreamEvent => chunk([{ index, delta: content, logprobs: told, finish_reason: finish }]);

  const pieces = run.pieces.follow(gone)[Symbol.asyncIterator]();
  for (const [index, output] of outputsOf(generation).entries()) {
    const { call, calls } = output;
    const said = { role: 'assistant', refusal: null };
    if (call === null) yield delta(index, { ...said, content: '' });
    for (const [n, args] of (call === null ? [output.pieces] : calls).entries()) {
      if (call !== null) {
        const begun = { index: n, ...opening(callId(head, index, n), calledName(output, n)) };
        const first = n === 0 ? { ...said, content: null } : {};
        yield delta(index, { ...first, tool_calls: [begun] });
      }
      for (let left = args.length; left > 0; left--) {
        const { value: piece, done } = await pieces.next();
        if (done === true) break;
        yield call === null
          ? delta(index, { content: piece }, logprobs(head, [piece]))
          : delta(index, { tool_calls: [{ index: n, function: { arguments: piece } }] });
      }
    }
    if (gone.aborted) return;
    yield delta(index, {}, null, finishReason(output));
  }
  if (includeUsage) yield chunk([], usage(generation.inputTokens, run.outputTokens));
  yield { name: null, data: '[DONE]' };
}

/** A call begins with its id and name; its arguments follow. */
function opening(id: string, name: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: '' } };
}
