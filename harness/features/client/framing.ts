import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, StreamEvent } from '../../reference/index.ts';
import type { Framing } from '../sessions/index.ts';

/** Sizes of pieces. Single bytes would take one second for each kilobyte. */
const fewBytes = [1, 1, 2, 3, 5, 8];

/** Milliseconds between two pieces that must arrive separately: data that is written at once is read at once. */
const apartMs = 8;

/** Number of characters that are split in two parts which arrive separately. */
const mostApart = 12;

/** The pieces of a stream, each an event in SSE framing, rewritten in another legal form. */
export async function* framed(
  pieces: AsyncIterable<string>,
  framing: Framing,
): AsyncGenerator<string | Uint8Array> {
  switch (framing) {
    case 'whole': {
      let all = '';
      for await (const piece of pieces) all += piece;
      yield all;
      return;
    }
    case 'bytes': {
      let written = 0;
      let apart = 0;
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece);
        for (let at = 0; at < bytes.length; ) {
          const isCharacter = (bytes[at] ?? 0) >= 0xc0 && apart < mostApart;
          // The piece ends before the next character that must be split.
          const few = fewBytes[written++ % fewBytes.length] ?? 1;
          const next = bytes
            .subarray(at, at + few)
            .findIndex((byte, index) => index > 0 && byte >= 0xc0);
          const length = isCharacter ? 1 : apart < mostApart && next > 0 ? next : few;
          yield bytes.subarray(at, at + length);
          at += length;
          if (!isCharacter) continue;
          apart++;
          await delay(apartMs);
        }
      }
      return;
    }
    case 'joined': {
      let rest = '';
      for await (const piece of pieces) {
        const middle = Math.floor(piece.length / 2);
        yield rest + piece.slice(0, middle);
        rest = piece.slice(middle);
        await delay(apartMs);
      }
      yield rest;
      return;
    }
    case 'crlf':
      for await (const piece of pieces) yield piece.replaceAll('\n', '\r\n');
      return;
    case 'comments':
      yield ': open\n\n';
      for await (const piece of pieces) yield `: ping\n\n${piece}`;
      return;
    case 'unknown':
    case 'lookalike':
      // Only their events differ, not the framing.
      yield* pieces;
      return;
  }
}

type Streaming = 'responses' | 'chat-completions' | 'messages' | 'generative';

/** Unknown member, whose values are not text of the answer. */
const member = { x_unknown: { delta: 'not a text', text: 'nor this' } };

/** Members that represent text in another protocol, and have no meaning in this one. */
const lookalikes: Readonly<Record<Streaming, JsonObject>> = {
  responses: { choices: [{ index: 0, delta: { content: 'not a text' } }] },
  'chat-completions': { type: 'response.output_text.delta', delta: 'not a text' },
  messages: { choices: [{ index: 0, delta: { content: 'not a text' } }] },
  generative: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'not a text' } },
};

/** An unknown event. Null for a stream without event types. */
const events: Readonly<Record<Streaming, (isLike: boolean) => StreamEvent | null>> = {
  // In Responses, unknown event types are judged separately.
  responses: (isLike) => (isLike ? null : typed('response.x_unknown', member)),
  'chat-completions': () => null,
  messages: (isLike) => typed('ping', isLike ? { delta: { text: 'not a text' } } : member),
  generative: () => null,
};

function typed(type: string, members: JsonObject): StreamEvent {
  return { name: type, data: { type, ...members } };
}

/** Adds unknown events between the events, and unknown members to them. */
export async function* withUnknown(
  own: AsyncIterable<StreamEvent>,
  protocol: Streaming,
  isLike: boolean,
): AsyncGenerator<StreamEvent> {
  let count = 0;
  for await (const event of own) {
    const { data } = event;
    const more = isLike ? lookalikes[protocol] : member;
    yield typeof data === 'string' ? event : { ...event, data: { ...more, ...data } };
    const further = events[protocol](isLike);
    // Unknown events follow the first event, when a stream has begun and no text was sent yet.
    if (count++ === 0 && further !== null) yield further;
  }
}
