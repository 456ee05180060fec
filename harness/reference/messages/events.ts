import type { StreamEvent } from '../dialect.ts';
import { calledName } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import type { Run } from '../run.ts';
import { type MessageHead, opened, stopReason, toolUse, usage } from './message.ts';

/**
 * The named events of one message: `message_start`, each content block opened, filled and closed,
 * `message_delta` with the reason to stop and the usage, `message_stop`. Every event's name is its
 * `type`, and nothing follows the last one.
 */
export async function* messageEvents(
  head: MessageHead,
  run: Run,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { generation } = run;
  const { call, calls } = generation;
  yield event('message_start', { message: opened(head, generation.inputTokens) });
  if (generation.pieces.length > 0) {
    const pieces = run.pieces.follow(gone)[Symbol.asyncIterator]();
    const blocks = call === null ? [generation.pieces] : calls;
    for (const [index, block] of blocks.entries()) {
      yield event('content_block_start', {
        index,
        content_block:
          call === null
            ? { type: 'text', text: '' }
            : toolUse(head, calledName(generation, index), index, {}),
      });
      for (let left = block.length; left > 0; left--) {
        const { value: piece, done } = await pieces.next();
        if (done === true) break;
        yield event('content_block_delta', {
          index,
          delta:
            call === null
              ? { type: 'text_delta', text: piece }
              : { type: 'input_json_delta', partial_json: piece },
        });
      }
      if (gone.aborted) return;
      yield event('content_block_stop', { index });
    }
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReason(generation), stop_sequence: generation.stopped },
    usage: usage(generation.inputTokens, run.outputTokens),
  });
  yield event('message_stop', {});
}

function event(type: string, members: JsonObject): StreamEvent {
  return { name: type, data: { type, ...members } };
}
