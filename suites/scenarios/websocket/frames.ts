import { at, type Exchange } from '../../../harness/index.ts';

/** Types of the frames with which a turn over WebSocket ends. */
export const turnEnds = /^(error|response\.(completed|incomplete|failed))$/;

/** The type of a frame, as text; `undefined` when it has none. */
export function typeOf(frame: unknown): string {
  return String(at(frame, 'type'));
}

/** Whether anything came in answer to a turn, before the connection was closed or the time ran out. */
export function isAnswered({ socket }: Exchange): boolean {
  return socket?.frames.some(({ from }) => from === 'gateway') === true;
}
