/**
 * Two channels of one model may count the same text differently, and a template may change between two
 * requests: by three tokens and five in a hundred.
 */
export function byAnotherChannel(count: number): number {
  return count + 3 + count / 20;
}

/** True if a count exceeds that of the same input elsewhere by more than two channels may differ. */
export function countsMore(count: number, same: number): boolean {
  return count > byAnotherChannel(same);
}
