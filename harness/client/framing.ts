import type { Framing } from '../engine/clients/script.ts';
import type { StreamEvent } from '../reference/dialect.ts';

/** The pieces of a stream, each an event in SSE framing, written in another legal way. */
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
    case 'bytes':
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece);
        for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
      }
      return;
    case 'joined': {
      let rest = '';
      for await (const piece of pieces) {
        const middle = Math.floor(piece.length / 2);
        yield rest + piece.slice(0, middle);
        rest = piece.slice(middle);
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
      yield* pieces;
      return;
  }
}

/** The same events with others between them that nobody knows, and with members that nobody knows. */
export async function* withUnknown(
  events: AsyncIterable<StreamEvent>,
  knowsTypes: boolean,
): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    if (typeof event.data === 'string') {
      yield event;
      continue;
    }
    yield {
      ...event,
      data: { ...event.data, x_unknown: { delta: 'not a text', text: 'nor this' } },
    };
    const { type } = event.data;
    if (!knowsTypes || typeof type !== 'string' || !/created|start$/.test(type)) continue;
    const name = 'x_unknown.event';
    yield { name, data: { type: name, delta: 'not a text', text: 'nor this' } };
  }
}
