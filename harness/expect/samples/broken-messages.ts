import {
  added,
  all,
  type BrokenCase,
  doubled,
  dropped,
  moved,
  renamed,
  replaced,
  set,
  without,
} from './streams.ts';

/** One edit each of a good Messages stream, by the one rule that it breaks. */

const start = 'message_start';
const blockStart = 'content_block_start';
const blockDelta = 'content_block_delta';
const blockStop = 'content_block_stop';
const reason = 'message_delta';
const stop = 'message_stop';

const cumulative = all(
  set(blockDelta, 'delta.text', 'Hello there', 1),
  set(blockDelta, 'delta.text', 'Hello there.', 2),
);

export const brokenMessages: readonly BrokenCase[] = [
  ['event-name-is-type', 'no name', 'text', renamed(blockDelta, undefined)],
  ['event-name-is-type', 'no name on a ping', 'pings-and-unknown', renamed('ping', undefined)],
  ['event-name-is-type', 'another name', 'text', renamed(blockDelta, 'delta')],
  ['event-name-is-type', 'no type', 'text', without(blockDelta, 'type')],
  ['event-name-is-type', 'no type on the first', 'text', without(start, 'type')],
  ['event-name-is-type', 'no type on the last', 'text', without(stop, 'type')],
  ['event-name-is-type', 'no JSON', 'text', replaced(blockDelta, 'hello')],
  ['event-name-is-type', 'no JSON at a start', 'text', replaced(blockStart, 'hello')],
  ['event-name-is-type', 'no JSON at the end', 'text', replaced(stop, 'hello')],
  ['message-start-once-first', 'none', 'text', dropped(start)],
  ['message-start-once-first', 'second', 'text', moved(start, 0, blockDelta)],
  ['message-start-once-first', 'twice', 'text', doubled(start)],
  [
    'message-start-once-first',
    'content',
    'text',
    set(start, 'message.content', [{ type: 'text' }]),
  ],
  ['message-start-once-first', 'no content', 'text', without(start, 'message.content')],
  ['message-start-once-first', 'reason', 'text', set(start, 'message.stop_reason', 'end_turn')],
  ['blocks-open-and-close', 'never started', 'text', dropped(blockStart)],
  ['blocks-open-and-close', 'the second never started', 'tool-use', dropped(blockStart, 1)],
  ['blocks-open-and-close', 'the first never started', 'thinking', dropped(blockStart)],
  ['blocks-open-and-close', 'started twice', 'text', doubled(blockStart)],
  ['blocks-open-and-close', 'started late', 'text', moved(blockStart, 0, blockDelta, 1)],
  ['blocks-open-and-close', 'never stopped', 'text', dropped(blockStop)],
  ['blocks-open-and-close', 'the first never stopped', 'tool-use', dropped(blockStop)],
  ['blocks-open-and-close', 'stopped twice', 'text', doubled(blockStop)],
  ['blocks-open-and-close', 'a delta after the stop', 'text', moved(blockStop, 0, blockDelta, 2)],
  ['blocks-open-and-close', 'thinking in a text', 'text', set(blockDelta, 'delta', thought())],
  [
    'blocks-open-and-close',
    'thinking in a call',
    'tool-use',
    set(blockDelta, 'delta', thought(), 1),
  ],
  ['fragments-go-on', 'the whole text each time', 'text', cumulative],
  ['indexes-in-order', 'from 1', 'text', set(blockStart, 'index', 1)],
  ['indexes-in-order', 'none', 'text', without(blockStart, 'index')],
  ['indexes-in-order', '0 again', 'tool-use', set(blockStart, 'index', 0, 1)],
  ['indexes-in-order', 'a gap', 'tool-use', set(blockStart, 'index', 7, 2)],
  ['no-overlap', 'the first stops late', 'tool-use', moved(blockStop, 0, blockStop, 1)],
  ['no-overlap', 'the second starts early', 'tool-use', moved(blockStart, 1, blockDelta, 0)],
  ['stop-reason-before-stop', 'none', 'text', set(reason, 'delta.stop_reason', null)],
  ['stop-reason-before-stop', 'dropped', 'text', dropped(reason)],
  ['stop-reason-before-stop', 'before a stop', 'text', moved(reason, 0, blockStop)],
  ['stop-reason-before-stop', 'before a block', 'tool-use', moved(reason, 0, blockStart, 2)],
  ['message-stop-last', 'none', 'text', dropped(stop)],
  ['message-stop-last', 'twice', 'text', doubled(stop)],
  ['message-stop-last', '[DONE] at the end', 'text', added('[DONE]')],
  ['message-stop-last', 'an unknown event after it', 'text', added({ type: 'novelty' })],
  ['message-stop-last', 'before the reason', 'text', moved(stop, 0, reason)],
  ['deltas-make-the-text', 'no text', 'text', all(dropped(blockDelta), dropped(blockDelta, 1))],
  ['usage-present', 'none at the start', 'text', without(start, 'message.usage')],
  ['usage-present', 'no input_tokens', 'text', without(start, 'message.usage.input_tokens')],
  ['usage-present', 'none at the end', 'text', without(reason, 'usage')],
  ['usage-present', 'no output_tokens', 'text', without(reason, 'usage.output_tokens')],
  ['known-event-shapes', 'no message', 'text', without(start, 'message')],
  ['known-event-shapes', 'no message id', 'text', without(start, 'message.id')],
  ['known-event-shapes', 'no block', 'text', without(blockStart, 'content_block')],
  ['known-event-shapes', 'no delta', 'text', without(blockDelta, 'delta')],
  ['known-event-shapes', 'no text', 'text', without(blockDelta, 'delta.text')],
  [
    'known-event-shapes',
    'no partial_json',
    'tool-use',
    without(blockDelta, 'delta.partial_json', 2),
  ],
  ['known-event-shapes', 'no reason delta', 'text', without(reason, 'delta')],
  ['arguments-join', 'a fragment dropped', 'tool-use', dropped(blockDelta, 2)],
  ['arguments-join', 'no object', 'tool-use', set(blockDelta, 'delta.partial_json', '[', 2)],
  ['no-foreign-events', 'of the Responses API', 'text', added({ type: 'response.created' }, 2)],
  ['no-foreign-events', 'a chat chunk', 'text', added({ object: 'chat.completion.chunk' }, 5)],
  ['no-foreign-events', 'a candidate', 'text', added({ candidates: [] }, 0)],
  ['no-foreign-events', 'one at the end', 'text', added({ choices: [] })],
];

function thought(): { type: string; thinking: string } {
  return { type: 'thinking_delta', thinking: 'Hello' };
}
