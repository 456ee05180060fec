import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Feed } from './feed.ts';
import type { Transport } from './seams.ts';

export const defaultTransport: Transport = {
  async send(out, head, body) {
    // A string goes out together with the headers, in one write.
    const headers: Record<string, string> = Object.assign({}, head.headers);
    headers['content-length'] = String(Buffer.byteLength(body));
    out.writeHead(head.status, headers);
    out.end(body);
  },

  async stream(out, head, pieces) {
    out.writeHead(head.status, head.headers);
    if (pieces instanceof Feed) return streamFeed(out, pieces);
    out.flushHeaders();
    for await (const piece of pieces) {
      if (out.destroyed) return;
      // A slow reader slows its stream down; it never makes the gateway keep the stream in memory.
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

/** Pieces that are written at a time. Then it is the turn of others. */
const mostPieces = 64;

/** All that is there goes out in one write: of an answer that takes no time, the whole of it. */
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
  else out.end(taken.join(''));
}

async function drained(out: ServerResponse): Promise<void> {
  if (out.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]);
  settled.abort();
}
