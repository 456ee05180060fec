import type { ServerResponse } from 'node:http';
import type { Defect } from '../../reference/index.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Answers that HTTP allows, but that hardly any server sends.

/** Performs an act before the head of each answer is written. */
function beforeEach(act: (out: ServerResponse) => void): Defect['override'] {
  return ({ transport }) => ({
    transport: {
      send: (out, head, body, context) => {
        act(out);
        return transport.send(out, head, body, context);
      },
      stream: (out, head, pieces, context) => {
        act(out);
        return transport.stream(out, head, pieces, context);
      },
    },
  });
}

export const httpVariants: readonly Variant[] = planted({
  'http.continue-unasked': beforeEach((out) => out.writeContinue()),
  'http.over-tls': { isSecure: true, override: () => ({}) },
  'http.closes-connections': beforeEach((out) => out.on('finish', () => out.socket?.destroySoon())),
  'http.early-hints': beforeEach((out) => out.writeEarlyHints({ link: '</docs>; rel=preload' })),
  'http.long-headers': beforeEach((out) => {
    for (let number = 0; number < 10; number++) {
      out.setHeader(`x-trace-${number}`, 'a'.repeat(2048));
    }
  }),
  'http.chunk-extensions': () => ({
    transport: {
      async stream(out, head, pieces) {
        const { socket } = out;
        out.useChunkedEncodingByDefault = false;
        out.writeHead(head.status, {
          ...head.headers,
          'transfer-encoding': 'chunked',
          connection: 'close',
        });
        out.flushHeaders();
        for await (const piece of pieces) {
          if (out.destroyed) return;
          const size = Buffer.byteLength(piece).toString(16);
          if (size !== '0') socket?.write(`${size};part="of; a stream"\r\n${piece}\r\n`);
        }
        socket?.end('0;last\r\nX-Parts: all\r\n\r\n');
      },
    },
  }),
});
