import type { StreamEvent } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import type { Run } from '../run.ts';
import { type MessageHead, opened, stopReason, toolUse, usage } from './message.ts';

/**
 * The named events of one message: `message_start`, one content block opened, filled and closed,
 * `message_delta` with the reason to stop and the usage, `message_stop`. Every event's name is its
 * `type`, and nothing follows the last one.
 */
export async function* messageEvents(
  head: MessageHead,
  run: Run,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { generation } = run;
  const { call } = generation;
  yield event('message_start', { message: opened(head, generation.inputTokens) });
  if (generation.pieces.length > 0) {
    yield event('content_block_start', {
      index: 0,
      content_block: call === null ? { type: 'text', text: '' } : toolUse(head, call, {}),
    });
    for await (const piece of run.pieces.follow(gone)) {
      yield event('content_block_delta', {
        index: 0,
        delta:
          call === null
            ? { type: 'text_delta', text: piece }
            : { type: 'input_json_delta', partial_json: piece },
      });
    }
    if (gone.aborted) return;
    yield event('content_block_stop', { index: 0 });
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
