/**
 * Reasons why an act on a stored response is denied. `none` and `second-key` are served: to the owner, and to a
 * second key of the same user.
 */
export const reasons = [
  'none',
  'second-key',
  'no-key',
  'unknown-key',
  'other-user',
  'restricted',
  'under-another-model',
  'other-region',
  'deleted',
  'expired',
  'unstored',
] as const;
export type Reason = (typeof reasons)[number];

/** Reasons that never meet in one act, from the state of the response to the sender and the region of the request. */
const sides = {
  state: ['deleted', 'expired', 'unstored'],
  key: ['no-key', 'unknown-key', 'other-user', 'restricted', 'under-another-model'],
  region: ['other-region'],
} as const satisfies Readonly<Record<string, readonly Reason[]>>;
export type Denial = (typeof sides)[keyof typeof sides][number];

/** Sets of reasons: each alone, because a gateway that ignores one might still deny for another, and each pair. */
export const reasonSets: readonly (readonly [Reason, ...Denial[]])[] = [
  ...reasons.map((reason): [Reason] => [reason]),
  ...pairsOf(sides.state, sides.key),
  ...pairsOf(sides.state, sides.region),
  ...pairsOf(sides.key, sides.region),
];

function pairsOf(some: readonly Denial[], others: readonly Denial[]): [Denial, Denial][] {
  return some.flatMap((one) => others.map((other): [Denial, Denial] => [one, other]));
}

/** Keys that an act is tried with: for an absent response, both keys of the user. */
const ofUser = ['owner', 'sameUser'] as const;
export const keysOf = {
  none: ['owner'],
  'second-key': ['sameUser'],
  'no-key': ['none'],
  'unknown-key': ['unknown'],
  'other-user': ['otherUser'],
  restricted: ['restricted'],
  'under-another-model': ['restricted'],
  'other-region': ofUser,
  deleted: ofUser,
  expired: ofUser,
  unstored: ofUser,
} as const satisfies Readonly<Record<Reason, readonly string[]>>;
export type AskingKey = (typeof keysOf)[Reason][number];

/** Returns the side of a reason, or the state that denies. */
export function sideOf(reason: Reason): string {
  if (reason === 'other-region') return 'region';
  return sides.key.some((one) => one === reason) ? 'key' : reason;
}

export const reasonInWords: Readonly<Record<Reason, string>> = {
  none: 'for the owner',
  'second-key': 'for a second key of the user',
  'no-key': 'without a key',
  'unknown-key': 'with an unknown key',
  'other-user': 'for another user',
  restricted: 'for a key without its model',
  'under-another-model': 'for a key without its model, under another model',
  'other-region': 'through another region',
  deleted: 'after its deletion',
  expired: 'after its retention',
  unstored: 'with `store: false`',
};
