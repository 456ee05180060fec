/**
 * Returns the largest count that another channel of the model may give for the same text: three tokens and five
 * percent more. Channels may count differently, and a template may change between two requests.
 */
export function byAnotherChannel(count: number): number {
  return count + 3 + count / 20;
}
