import { type Block, isHidden } from '../blocks.ts';
import type { StreamEvent } from '../dialect.ts';
import { Feed, type Gone } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import { preparedEvent, preparedEvents } from '../prepared.ts';
import type { Run } from '../run.ts';
import {
  type MessageHead,
  opened,
  shownBlocks,
  signatureOf,
  stopReason,
  toolUse,
  usage,
} from './message.ts';

/**
 * Returns the named events of one message: `message_start`, the start, deltas and stop of each content block,
 * `message_delta` with the stop reason and the usage, `message_stop`. The name of every event is its `type`.
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
  yield event('message_start', { message: opened(head, generation) });
  for (const [index, block] of shownBlocks(generation).entries()) {
    const { start, delta, stop } = eventsAt(block.kind, index);
    yield block.kind === 'call'
      ? event('content_block_start', { index, content_block: toolUse(head, block.name, index, {}) })
      : start;
    for (let left = block.pieces.length; left > 0; left--) {
      let piece = pieces.next();
      while (piece === null) {
        yield null;
        piece = pieces.next();
      }
      if (piece === undefined) break;
      if (!isHidden(block)) yield delta(piece);
    }
    if (gone.aborted) return;
    if (block.kind === 'thought') {
      const signed = { type: 'signature_delta', signature: signatureOf(block) };
      yield event('content_block_delta', { index, delta: signed });
    }
    yield stop;
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReason(generation), stop_sequence: generation.stopped },
    usage: usage(generation, run.outputTokens),
  });
  yield messageStop;
}

type Kind = Block['kind'];

interface BlockEvents {
  readonly start: StreamEvent;
  readonly delta: (piece: string) => StreamEvent;
  readonly stop: StreamEvent;
}

const messageStop = preparedEvent('message_stop', { type: 'message_stop' });
/** Cached events of the first few blocks, by index. */
const known: Readonly<Record<Kind, BlockEvents[]>> = { thought: [], text: [], call: [] };
const mostKnown = 8;

function eventsAt(kind: Kind, index: number): BlockEvents {
  const before = known[kind][index];
  if (before !== undefined) return before;
  const start = 'content_block_start';
  const type = 'content_block_delta';
  const stop = 'content_block_stop';
  const made = {
    start: preparedEvent(start, { type: start, index, content_block: begun(kind) }),
    delta: preparedEvents(type, (piece) => ({ type, index, delta: grown(kind, piece) })),
    stop: preparedEvent(stop, { type: stop, index }),
  };
  if (index < mostKnown) known[kind][index] = made;
  return made;
}

function begun(kind: Kind): JsonObject {
  if (kind === 'text') return { type: 'text', text: '' };
  return { type: 'thinking', thinking: '', signature: '' };
}

function grown(kind: Kind, piece: string): JsonObject {
  if (kind === 'call') return { type: 'input_json_delta', partial_json: piece };
  if (kind === 'text') return { type: 'text_delta', text: piece };
  return { type: 'thinking_delta', thinking: piece };
}

function event(type: string, members: JsonObject): StreamEvent {
  return { name: type, data: { type, ...members } };
}
