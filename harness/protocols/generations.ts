import type { Exchange } from '../core/exchange.ts';
import { parsed, textAt } from '../core/json-value.ts';
import { asksToGenerate } from './modules.ts';

/** How many generations of an exchange were served: the user pays for them. */
export function generationsIn({ about, response, socket }: Exchange): number {
  if (socket !== null) {
    return socket.frames.filter(({ from, data }) => from === 'gateway' && beginsResponse(data))
      .length;
  }
  const served = response !== null && response.status >= 200 && response.status < 300;
  return served && asksToGenerate(about) ? 1 : 0;
}

/** Every turn that is served begins so, and is charged even when it is interrupted. */
function beginsResponse(data: Uint8Array): boolean {
  return textAt(parsed(Buffer.from(data).toString()), 'type') === 'response.created';
}
