import type { Block } from '../blocks.ts';
import type { StreamEvent } from '../dialect.ts';
import { outputsOf } from '../engine.ts';
import { Feed, type Gone } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import { preparedEvents } from '../prepared.ts';
import type { Run } from '../run.ts';
import {
  type CompletionHead,
  callId,
  fingerprint,
  finishReason,
  hasText,
  logprobs,
  usage,
} from './completion.ts';

/**
 * Returns the delta chunks of one answer. For each choice: the role, the text or the call's arguments in pieces, and
 * the finish reason. With `include_usage`, a chunk without choices carries the usage. The last event is `[DONE]`.
 *
 * @param includeUsage if true, every other chunk has `usage: null`
 */
export function chunks(
  head: CompletionHead,
  run: Run,
  includeUsage: boolean,
  gone: Gone,
): Feed<StreamEvent> {
  const pieces = run.pieces.reader(gone);
  return new Feed(steps(head, run, includeUsage, pieces, gone), () => pieces.more());
}

function* steps(
  head: CompletionHead,
  run: Run,
  includeUsage: boolean,
  pieces: JournalReader<string>,
  gone: Gone,
): Generator<StreamEvent | null, void, undefined> {
  const { generation } = run;
  const chunk = (choices: readonly JsonObject[], used: JsonObject | null = null): JsonObject => ({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    service_tier: 'default',
    system_fingerprint: fingerprint,
    choices,
    usage: includeUsage ? used : undefined,
  });
  const choice = (
    index: number,
    content: JsonObject,
    told: JsonObject | null = null,
    finish: string | null = null,
  ): JsonObject => chunk([{ index, delta: content, logprobs: told, finish_reason: finish }]);
  const delta = (...given: Parameters<typeof choice>): StreamEvent => ({
    name: null,
    data: choice(...given),
  });

  /** Returns prepared deltas for a block whose deltas differ only in the piece; otherwise null. */
  const deltas = ({ kind }: Block, index: number, n: number) =>
    kind === 'call'
      ? preparedEvents(null, (piece) =>
          choice(index, { tool_calls: [{ index: n, function: { arguments: piece } }] }),
        )
      : head.logprobs === null
        ? preparedEvents(null, (piece) => choice(index, { content: piece }))
        : null;

  for (const [index, output] of outputsOf(generation).entries()) {
    const said = { role: 'assistant', refusal: null };
    const speaks = hasText(output);
    if (speaks) yield delta(index, { role: 'assistant', refusal: null, content: '' });
    let n = 0;
    for (const block of output.blocks) {
      if (block.kind === 'call') {
        const begun = { index: n, ...opening(callId(head, index, n), block.name) };
        const first = n === 0 && !speaks ? { ...said, content: null } : {};
        yield delta(index, { ...first, tool_calls: [begun] });
      }
      const grown = deltas(block, index, n);
      if (block.kind === 'call') n++;
      for (let left = block.pieces.length; left > 0; left--) {
        let piece = pieces.next();
        while (piece === null) {
          yield null;
          piece = pieces.next();
        }
        if (piece === undefined) break;
        if (block.kind === 'thought') continue;
        yield grown?.(piece) ?? delta(index, { content: piece }, logprobs(head, [piece]));
      }
    }
    if (gone.aborted) return;
    yield delta(index, {}, null, finishReason(output));
  }
  if (includeUsage) {
    yield { name: null, data: chunk([], usage(generation, run.outputTokens)) };
  }
  yield { name: null, data: '[DONE]' };
}

/** Returns the start of a call: its id and name, before its arguments. */
function opening(id: string, name: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: '' } };
}
