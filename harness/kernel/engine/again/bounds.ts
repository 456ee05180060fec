import type { Limits } from '../../targets/index.ts';

/** Reasons for which a run sends a further request, or waits before it sends anything. */
export type RetryReason = 'lag' | 'lockout' | 'put-off' | 'unanswered' | 'connection' | 'gone';

/** Scenarios of a plan, added up. */
interface PlannedCost {
  readonly requests: number;
  /** Generations that a right gateway serves. */
  readonly expectedGenerations: number;
}

interface RetryBound {
  /** Tries of one request, the first included; for `gone`, exits of the gateway. */
  readonly tries: number;
  /** Milliseconds until it is given up. */
  readonly waitMs: (limits: Pick<Limits, 'consistencyMs' | 'patienceMs'>) => number;
  /** Requests beyond those that the scenarios of a plan count. */
  readonly further: (planned: PlannedCost, limits: Pick<Limits, 'consistencyMs'>) => number;
  /**
   * Generations: within those that the plan counts; as many further ones, in addition to what its scenarios may
   * still ask for (`further`) or when they have all ended (`at-end`); or none.
   */
  readonly generations: 'planned' | 'further' | 'at-end' | 'none';
}

const none = (): number => 0;

/** Upper bounds and cost of what is sent again, by its reason. */
export const retryBounds = {
  /**
   * An answer does not show yet what was done to a stored response: the same is sent, or a lookup. An act
   * that generates is sent once more when the time is over; its scenario counts it under `continues`.
   */
  lag: {
    tries: Number.POSITIVE_INFINITY,
    waitMs: ({ consistencyMs }) => consistencyMs,
    // One more is sent at the very end.
    further: ({ expectedGenerations }, { consistencyMs }) =>
      expectedGenerations * (callsWithin(consistencyMs) + 1),
    generations: 'planned',
  },
  /**
   * A good key is refused: a request that was served before shows if everybody is, and when that is over.
   * A hostile request that was refused for it is sent once more, out of the further requests for `lag`.
   */
  lockout: {
    tries: 2,
    waitMs: ({ patienceMs }) => patienceMs,
    further: none,
    generations: 'planned',
  },
  /** A rate limit, an overload or a lockout left a check undecided: its scenarios run again at the end. */
  'put-off': { tries: 2, waitMs: none, further: none, generations: 'at-end' },
  /** No answer came: scenarios of the plan send the request again when all else was sent. */
  unanswered: { tries: 3, waitMs: none, further: none, generations: 'planned' },
  /**
   * The connection broke before any of the answer came. A line that resets one connection in twelve breaks
   * five in a row once in 250,000 requests.
   */
  connection: {
    tries: 5,
    waitMs: none,
    further: ({ requests }) => Math.ceil(requests / 4) + 10,
    generations: 'further',
  },
  /** The gateway ended: nothing is sent until somebody listens again. */
  gone: {
    tries: 8,
    waitMs: ({ patienceMs }) => patienceMs,
    further: none,
    generations: 'none',
  },
} as const satisfies Record<RetryReason, RetryBound>;

/** Milliseconds between the first two calls of a poll. */
export const firstPauseMs = 25;

/** The pause after this one: half as long again, two seconds at most. */
export function nextPause(pauseMs: number): number {
  return Math.min(pauseMs * 1.5, 2_000);
}

/** Returns the maximum number of calls of one poll within the patience of a target. */
export function mostPolls({ limits }: { readonly limits: Pick<Limits, 'patienceMs'> }): number {
  return callsWithin(limits.patienceMs);
}

function callsWithin(milliseconds: number): number {
  let calls = 1;
  let waited = 0;
  for (let pause = firstPauseMs; waited + pause <= milliseconds; pause = nextPause(pause)) {
    waited += pause;
    calls++;
  }
  return calls;
}
