import type { Exchange, ExchangeFailure } from '../core/index.ts';
import { Conversation, type Frame } from './conversation.ts';
import type { WireOptions, WireRequest } from './request.ts';
import { unsent } from './transport.ts';

/** A WebSocket, or a refused upgrade, which `exchange()` describes. */
export interface OpenSocket {
  /** False if the upgrade was refused or failed. */
  readonly opened: boolean;
  /**
   * Sends a frame: an object as JSON text, a string as text, bytes as a binary frame. Does nothing if the socket is
   * not open: the record has the reason.
   */
  send(frame: object | string | Uint8Array): void;
  /**
   * Takes the received frames since the last call, up to and including the first for which `until` is true. Also
   * returns when the socket closes. If the timeout elapses, counted from this call, the connection is cut and the
   * exchange fails.
   */
  receive(until: (frame: Frame) => boolean): Promise<void>;
  /** Sends a ping, and waits for its pong. `socket.ponged` of the record tells if one arrived. */
  ping(): Promise<void>;
  /** Closes the socket, and waits for the closing handshake. */
  close(): Promise<void>;
  /** Destroys the connection without a closing handshake. @param why default: on purpose */
  terminate(why?: ExchangeFailure): void;
  /** Ends the conversation if it is open, and returns its record. */
  exchange(): Promise<Exchange>;
}

/**
 * Requests a WebSocket once. Resolves when the socket is open or the upgrade has failed. Like `send`, it records
 * every behaviour of the gateway.
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
