/** Number of times that something was seen, and number of tries. Undecided tries do not count. */
export interface Seen {
  readonly times: number;
  readonly tries: number;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Confidence level of a bound. */
export const confidence = 0.95;

/**
 * Returns the Clopper-Pearson upper bound of the true share: if the share were larger, so few occurrences would
 * have a probability below 5 %. Never seen in 200 tries: at most 1.5 %.
 */
export function atMost({ times, tries }: Seen, sure = confidence): number {
  if (times >= tries) return 1;
  return solved((share) => upTo(times, tries, share) > 1 - sure);
}

/** Returns the Clopper-Pearson lower bound of the true share. */
export function atLeast({ times, tries }: Seen, sure = confidence): number {
  return 1 - atMost({ times: tries - times, tries }, sure);
}

/** Returns both bounds. Each errs with half of the remaining probability. */
export function between(seen: Seen): Interval {
  const each = (1 + confidence) / 2;
  return { from: atLeast(seen, each), to: atMost(seen, each) };
}

/** Formats a rate: “3 of 60 tries: 5 %, at 95 % between 1 % and 14 %”. */
export function rateInWords(seen: Seen, tries = 'tries'): string {
  const counted = `${seen.times} of ${seen.tries} ${tries}`;
  const sure = `at ${percent(confidence, 'near')}`;
  if (seen.tries === 0) return counted;
  if (seen.times === 0) return `${counted}: at most ${percent(atMost(seen), 'up')} ${sure}`;
  if (seen.times === seen.tries) {
    return `${counted}: at least ${percent(atLeast(seen), 'down')} ${sure}`;
  }
  const { from, to } = between(seen);
  return (
    `${counted}: ${percent(seen.times / seen.tries, 'near')}, ` +
    `${sure} between ${percent(from, 'down')} and ${percent(to, 'up')}`
  );
}

/** Formats a share with two significant digits. A bound is rounded outwards, so that it stays valid. */
export function percent(share: number, round: 'near' | 'up' | 'down'): string {
  const hundredths = share * 100;
  if (hundredths === 0 || hundredths === 100) return `${hundredths} %`;
  // A percentage near 100 gets as many digits as its distance from 100 needs.
  const telling = Math.min(hundredths, 100 - hundredths);
  const digits = Math.max(0, 1 - Math.floor(Math.log10(telling)));
  const unit = 10 ** digits;
  const how = { near: Math.round, up: Math.ceil, down: Math.floor }[round];
  // Removes floating-point noise, so that rounding up or down does not move a whole step too far.
  const rounded = how(Number((hundredths * unit).toPrecision(9))) / unit;
  return `${rounded} %`;
}

/** Returns the binomial probability of seeing something at most `times` times. */
function upTo(times: number, tries: number, share: number): number {
  if (share <= 0) return 1;
  if (share >= 1) return times >= tries ? 1 : 0;
  const odds = Math.log(share) - Math.log1p(-share);
  let logarithm = tries * Math.log1p(-share);
  let sum = Math.exp(logarithm);
  for (let seen = 1; seen <= times; seen++) {
    logarithm += Math.log(tries - seen + 1) - Math.log(seen) + odds;
    sum += Math.exp(logarithm);
  }
  return Math.min(1, sum);
}

/** Finds the largest share for which a monotonic condition holds, by bisection. */
function solved(holds: (share: number) => boolean): number {
  let from = 0;
  let to = 1;
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return to;
}
