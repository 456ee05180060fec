import type { Exchange } from '../core/index.ts';
import { Conversation, type Frame } from './conversation.ts';
import type { WireOptions, WireRequest } from './request.ts';
import { unsent } from './transport.ts';

/** A WebSocket; or one that was refused, whose `exchange()` says how. */
export interface OpenSocket {
  /** False when the upgrade was refused or failed. */
  readonly opened: boolean;
  /**
   * Sends one text frame: an object as JSON, a string as it is; bytes as a binary frame. Nothing
   * happens when the socket is not open: the record says why it is not.
   */
  send(frame: object | string | Uint8Array): void;
  /**
   * Takes the frames of the gateway that came since the last call, up to and with the first for which
   * `until` is true. Also returns when the socket closes; when the time-out runs out, counted from
   * this call, the connection is cut and the exchange fails.
   */
  receive(until: (frame: Frame) => boolean): Promise<void>;
  /** Sends a ping, and waits a while for its pong; `socket.ponged` of the record says whether one came. */
  ping(): Promise<void>;
  /** Closes it, and waits for the closing handshake. */
  close(): Promise<void>;
  /** Destroys the connection without a closing handshake. */
  terminate(): void;
  /** Ends the conversation if it is open, and gives the record of it. */
  exchange(): Promise<Exchange>;
}

/**
 * Asks for a WebSocket, once. Resolves when it is open or will never be: like `send`, whatever the
 * gateway does ends up in the record.
 *
 * @param request its URL begins with `ws:` or `wss:`
 */
export async function openSocket(request: WireRequest, options: WireOptions): Promise<OpenSocket> {
  if (options.stop?.aborted) return neverOpened(unsent(request, options));
  const conversation = new Conversation(request, options);
  await conversation.handshake();
  return conversation;
}

/** Returns a socket for an upgrade that was never requested. */
export function neverOpened(exchange: Exchange): OpenSocket {
  return {
    opened: false,
    send: () => undefined,
    receive: () => Promise.resolve(),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
    terminate: () => undefined,
    exchange: () => Promise.resolve(exchange),
  };
}
