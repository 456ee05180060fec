import { isObject, textAt } from '../../harness/index.ts';

/** Types of the frames with which a turn over WebSocket ends. */
export const turnEnds = /^(error|response\.(completed|incomplete|failed))$/;

/** The type of a frame; empty when it has none. */
export function typeOf(frame: unknown): string {
  return (isObject(frame) ? textAt(frame, 'type') : null) ?? '';
}
