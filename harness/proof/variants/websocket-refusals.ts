import type { Variant } from './variant.ts';

// A WebSocket has ways to refuse that need no words.

export const websocketRefusalVariants: readonly Variant[] = [
  {
    id: 'websocket.upgrade-refused-bare',
    what: 'An upgrade is refused by its status alone, without a body.',
    override: ({ transport }) => ({
      transport: {
        refuseUpgrade: (socket, head) => transport.refuseUpgrade(socket, head, ''),
      },
    }),
  },
  {
    id: 'websocket.closes-to-refuse',
    what: 'What cannot be served closes the connection with 1008, without an error frame.',
    // Of a previous response that is not found, the frame is documented.
    warns: ['everywhere/native.error-shape:websocket.unknown-id'],
    override: ({ transport }) => ({
      transport: {
        async frame(socket, text, context) {
          if (context.refusal === null) await transport.frame(socket, text, context);
          else socket.close(1008);
        },
      },
    }),
  },
];
