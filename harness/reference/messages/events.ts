import type { StreamEvent } from '../dialect.ts';
import { calledName } from '../engine.ts';
import { Feed, type Gone } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import { preparedEvents } from '../prepared.ts';
import type { Run } from '../run.ts';
import { type MessageHead, opened, stopReason, toolUse, usage } from './message.ts';

/**
 * The named events of one message: `message_start`, each content block opened, filled and closed,
 * `message_delta` with the reason to stop and the usage, `message_stop`. Every event's name is its
 * `type`, and nothing follows the last one.
 */
export function messageEvents(head: MessageHead, run: Run, gone: Gone): Feed<StreamEvent> {
  const pieces = run.pieces.reader(gone);
  return new Feed(steps(head, run, pieces, gone), () => pieces.more());
}

function* steps(
  head: MessageHead,
  run: Run,
  pieces: JournalReader<string>,
  gone: Gone,
): Generator<StreamEvent | null, void, undefined> {
  const { generation } = run;
  const { call, calls } = generation;
  yield event('message_start', { message: opened(head, generation) });
  if (generation.pieces.length > 0) {
    const blocks = call === null ? [generation.pieces] : calls;
    for (const [index, block] of blocks.entries()) {
      yield event('content_block_start', {
        index,
        content_block:
          call === null
            ? { type: 'text', text: '' }
            : toolUse(head, calledName(generation, index), index, {}),
      });
      const type = 'content_block_delta';
      const delta = preparedEvents(type, (piece) => ({
        type,
        index,
        delta:
          call === null
            ? { type: 'text_delta', text: piece }
            : { type: 'input_json_delta', partial_json: piece },
      }));
      for (let left = block.length; left > 0; left--) {
        let piece = pieces.next();
        while (piece === null) {
          yield null;
          piece = pieces.next();
        }
        if (piece === undefined) break;
        yield delta(piece);
      }
      if (gone.aborted) return;
      yield event('content_block_stop', { index });
    }
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReason(generation), stop_sequence: generation.stopped },
    usage: usage(generation, run.outputTokens),
  });
  yield event('message_stop', {});
}

function event(type: string, members: JsonObject): StreamEvent {
  return { name: type, data: { type, ...members } };
}
