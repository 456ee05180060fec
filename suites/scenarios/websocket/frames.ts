import type { Exchange } from '../../../harness/index.ts';

/** True if any frame answered a turn before the connection was closed or the time ran out. */
export function isAnswered({ socket }: Exchange): boolean {
  return socket?.frames.some(({ from }) => from === 'gateway') === true;
}
