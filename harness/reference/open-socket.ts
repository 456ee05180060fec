/** Data of a message. By default, `ws` passes one buffer. */
export type MessageData = Buffer | ArrayBuffer | Buffer[];

/**
 * Subset of an open WebSocket that the gateway uses. The WebSocket of the package `ws` fits. Its types are not
 * referenced here, because projects that compile against Touchstone would need them, too.
 */
export interface OpenSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Sends a string as a text frame, bytes as a binary frame. */
  send(data: string | Buffer, sent: () => void): void;
  pong(data: Buffer): void;
  close(code?: number): void;
  /** Destroys the connection, without a closing handshake. */
  terminate(): void;
  on(event: 'message', listener: (data: MessageData, isBinary: boolean) => void): unknown;
  on(event: 'ping', listener: (data: Buffer) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}
