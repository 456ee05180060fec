import type { ServerResponse } from 'node:http';
import type { Defect } from '../../reference/index.ts';
import type { Variant } from './variant.ts';

// Answers that HTTP allows, and that hardly any server sends.

/** Does something before the head of each answer is written. */
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

export const httpVariants: readonly Variant[] = [
  {
    id: 'http.continue-unasked',
    what: 'Every answer comes after `100 Continue`, which no request waits for.',
    override: beforeEach((out) => out.writeContinue()),
  },
  {
    id: 'http.over-tls',
    what: 'The gateway speaks TLS, and HTTP/2 with those who offer it.',
    isSecure: true,
    override: () => ({}),
  },
  {
    id: 'http.closes-connections',
    what: 'A connection ends behind each answer, which does not say so.',
    override: beforeEach((out) => out.on('finish', () => out.socket?.destroySoon())),
  },
  {
    id: 'http.early-hints',
    what: 'Every answer comes after `103 Early Hints`.',
    override: beforeEach((out) => out.writeEarlyHints({ link: '</docs>; rel=preload' })),
  },
  {
    id: 'http.long-headers',
    what: 'Every answer has 40 KiB of headers.',
    override: beforeEach((out) => {
      for (let number = 0; number < 10; number++) {
        out.setHeader(`x-trace-${number}`, 'a'.repeat(4096));
      }
    }),
  },
  {
    id: 'http.chunk-extensions',
    what: 'The chunks of a stream have extensions, and a trailer comes after the last.',
    override: () => ({
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
  },
];
