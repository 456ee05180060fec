import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transport } from './seams.ts';

export const defaultTransport: Transport = {
  async send(out, head, body) {
    const bytes = Buffer.from(body);
    out.writeHead(head.status, { ...head.headers, 'content-length': String(bytes.length) });
    out.end(bytes);
  },

  async stream(out, head, pieces) {
    out.writeHead(head.status, head.headers);
    out.flushHeaders();
    for await (const piece of pieces) {
      if (out.destroyed) return;
      // A slow reader slows its stream down; it never makes the gateway keep the stream in memory.
      if (!out.write(piece) && !out.destroyed) await drained(out);
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

async function drained(out: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]);
  settled.abort();
}
