import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as onceIdle } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import type { Transport } from './call.ts';
import { Feed } from './feed.ts';

export const defaultTransport: Transport = {
  async send(out, head, body) {
    // A string is sent together with the headers, in one write.
    const headers: Record<string, string> = Object.assign({}, head.headers);
    const bytes = Buffer.byteLength(body);
    headers['content-length'] = String(bytes);
    out.writeHead(head.status, headers);
    endWith(out, body, bytes);
  },

  async stream(out, head, pieces) {
    out.writeHead(head.status, head.headers);
    if (pieces instanceof Feed) return streamFeed(out, pieces);
    out.flushHeaders();
    for await (const piece of pieces) {
      if (out.destroyed) return;
      // A slow reader slows its stream down, so that the gateway does not buffer the stream in memory.
      if (!out.write(piece)) await drained(out);
    }
    out.end();
  },

  refuseUpgrade(socket, { status, headers }, body) {
    const all = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
  },

  async frame(socket, text) {
    if (socket.readyState !== socket.OPEN) return;
    await new Promise<void>((resolve) => socket.send(text, () => resolve()));
  },
};

/** Maximum number of pieces per write, before other work gets its turn. */
const mostPieces = 64;

/** Writes all available pieces at once: an answer without delays is a single write. */
async function streamFeed(out: ServerResponse, pieces: Feed<string>): Promise<void> {
  let taken = pieces.take(mostPieces);
  if (taken.length === 0) out.flushHeaders();
  while (!pieces.ended) {
    if (taken.length === 0) await pieces.more();
    else if (!out.write(taken.join(''))) await drained(out);
    else if (taken.length === mostPieces) await setImmediate();
    if (out.destroyed) return;
    taken = pieces.take(mostPieces);
  }
  if (taken.length === 0) out.end();
  else {
    const text = taken.join('');
    endWith(out, text, Buffer.byteLength(text));
  }
}

/** A complete answer, and the encoding of its text. */
interface Ready {
  readonly out: ServerResponse;
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
}

/** Maximum number of complete answers that wait for others; then all of them are sent. */
const mostReady = 16;
let ready: Ready[] = [];

/**
 * Ends an answer together with those that complete in the same turn of the event loop, so that a reader of several
 * is woken once rather than per answer. A wake-up costs about as much as the rest of an answer.
 *
 * @param bytes size of the text in UTF-8; ASCII text is copied without encoding
 */
function endWith(out: ServerResponse, text: string, bytes: number): void {
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  ready.push({ out, text, encoding });
  if (ready.length === 1) onceIdle(endAll);
  else if (ready.length === mostReady) endAll();
}

function endAll(): void {
  const ending = ready;
  ready = [];
  for (const { out, text, encoding } of ending) out.end(text, encoding);
}

async function drained(out: ServerResponse): Promise<void> {
  if (out.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]);
  settled.abort();
}
