import { at } from '../../harness/index.ts';

/** Types of the frames with which a turn over WebSocket ends. */
export const turnEnds = /^(error|response\.(completed|incomplete|failed))$/;

/** The type of a frame, as text; `undefined` when it has none. */
export function typeOf(frame: unknown): string {
  return String(at(frame, 'type'));
}
