import { type Exchange, parsed, type SocketFrame, textAt } from '../core/index.ts';
import { asksToGenerate } from './modules.ts';

/**
 * Returns the number of generations of an exchange that were served, because the user pays for them. Frames may
 * have been lost with a failed connection, so every turn counts that was sent and not refused.
 */
export function generationsIn({ about, response, socket, failure }: Exchange): number {
  if (socket !== null) {
    const count = (from: SocketFrame['from'], type: string): number =>
      socket.frames.filter((frame) => frame.from === from && typeOf(frame) === type).length;
    // Every served turn begins with this event, and is charged even if it is interrupted.
    const begun = count('gateway', 'response.created');
    if (failure === null) return begun;
    return Math.max(begun, count('us', 'response.create') - count('gateway', 'error'));
  }
  const served = response !== null && response.status >= 200 && response.status < 300;
  return served && asksToGenerate(about) ? 1 : 0;
}

function typeOf({ data }: SocketFrame): string | null {
  return textAt(parsed(Buffer.from(data).toString()), 'type');
}
