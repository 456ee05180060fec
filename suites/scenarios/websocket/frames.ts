import type { Exchange } from '../../../harness/index.ts';

/** Whether anything came in answer to a turn, before the connection was closed or the time ran out. */
export function isAnswered({ socket }: Exchange): boolean {
  return socket?.frames.some(({ from }) => from === 'gateway') === true;
}
