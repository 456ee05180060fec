import type { Exchange } from '../core/exchange.ts';

/** The operations that ask a model to generate. */
const generating = new Set([
  'responses.create',
  'responses.stream',
  'responses.compact',
  'chat-completions.create',
  'chat-completions.stream',
  'messages.create',
  'messages.stream',
  'generative.generate',
  'generative.stream',
  'systemone.create',
]);

/** How many generations of an exchange were served: the user pays for them. */
export function generationsIn({ about, response, socket }: Exchange): number {
  if (socket !== null) {
    return socket.frames.filter(({ from, data }) => from === 'gateway' && beginsResponse(data))
      .length;
  }
  const served = response !== null && response.status >= 200 && response.status < 300;
  return served && generating.has(about.operation) ? 1 : 0;
}

/** Every turn that is served begins so, and is charged even when it is broken off. */
function beginsResponse(data: Uint8Array): boolean {
  try {
    const frame: unknown = JSON.parse(Buffer.from(data).toString());
    return typeof frame === 'object' && frame !== null && 'type' in frame
      ? frame.type === 'response.created'
      : false;
  } catch {
    return false;
  }
}
