/** Data of a message. By default, `ws` passes one buffer. */
export type MessageData = Buffer | ArrayBuffer | Buffer[];

/**
 * An open WebSocket, as far as the gateway uses one. What the package `ws` opens fits; its types are not
 * named here, because whoever compiles against Touchstone would need them too.
 */
export interface OpenSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** A string is sent as a text frame, bytes as a binary one. */
  send(data: string | Buffer, sent: () => void): void;
  pong(data: Buffer): void;
  close(code?: number): void;
  /** Destroys the connection, without a closing handshake. */
  terminate(): void;
  on(event: 'message', listener: (data: MessageData, isBinary: boolean) => void): unknown;
  on(event: 'ping', listener: (data: Buffer) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}
