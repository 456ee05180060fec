/**
 * Returns the largest count that another channel of the model may give for the same text: three tokens and five
 * percent more. Channels may count differently, and a template may change between two requests.
 */
export function byAnotherChannel(count: number): number {
  return count + 3 + count / 20;
}

/** True if a count exceeds that of the same input elsewhere by more than two channels may differ. */
export function countsMore(count: number, same: number): boolean {
  return count > byAnotherChannel(same);
}
