import type { Limits } from '../../targets/index.ts';

/** Reasons why a run sends a further request, or waits before it sends anything. */
export type RetryReason = 'lag' | 'lockout' | 'put-off' | 'unanswered' | 'connection' | 'gone';

interface PlannedCost {
  readonly requests: number;
  /** Generations that a conforming gateway serves. */
  readonly expectedGenerations: number;
}

interface RetryBound {
  /** Attempts of one request, including the first; for `gone`, exits of the gateway. */
  readonly tries: number;
  /** Milliseconds until the request is given up. */
  readonly waitMs: (limits: Pick<Limits, 'consistencyMs' | 'patienceMs'>) => number;
  /** Requests beyond those that the scenarios of a plan declare. */
  readonly further: (planned: PlannedCost, limits: Pick<Limits, 'consistencyMs'>) => number;
  /**
   * Budget of generations. `planned`: those that the plan declares. `further`: as many again, in addition to those that
   * its scenarios may still use. `at-end`: as many again, once all scenarios have ended. `none`: no generation.
   */
  readonly generations: 'planned' | 'further' | 'at-end' | 'none';
}

const none = (): number => 0;

export const retryBounds = {
  /**
   * An answer does not show yet what was done to a stored response: the request or a lookup is repeated. An act
   * that generates is repeated once, after the limit; its scenario declares it under `continues`.
   */
  lag: {
    tries: Number.POSITIVE_INFINITY,
    waitMs: ({ consistencyMs }) => consistencyMs,
    // The last one is sent when the limit ends.
    further: ({ expectedGenerations }, { consistencyMs }) =>
      expectedGenerations * (callsWithin(consistencyMs) + 1),
    generations: 'planned',
  },
  /**
   * A good key is refused: a request that was served before shows whether all requests are refused, and when that
   * ends. A hostile request refused for this reason is retried once, out of the further requests of `lag`.
   */
  lockout: {
    tries: 2,
    waitMs: ({ patienceMs }) => patienceMs,
    further: none,
    generations: 'planned',
  },
  /** A check is undecided after a rate limit, overload or lockout: its scenarios run once more. */
  'put-off': { tries: 2, waitMs: none, further: none, generations: 'at-end' },
  /** No answer came: scenarios of the plan retry the request after all others. */
  unanswered: { tries: 3, waitMs: none, further: none, generations: 'planned' },
  /**
   * The connection broke before any byte of the answer. A line that resets one connection in twelve breaks five in
   * a row once in 250,000 requests.
   */
  connection: {
    tries: 5,
    waitMs: none,
    further: ({ requests }) => Math.ceil(requests / 4) + 10,
    generations: 'further',
  },
  /** The gateway ended: nothing is sent until its address accepts connections again. */
  gone: { tries: 8, waitMs: ({ patienceMs }) => patienceMs, further: none, generations: 'none' },
} as const satisfies Record<RetryReason, RetryBound>;

/** Answers without a sign of load after which a default rate doubles: of all requests, and of hostile ones. */
export const paceSteps = { ordinary: 100, hostile: 16 } as const;

/** Milliseconds between the first two calls of a poll. */
export const firstPauseMs = 25;

/** Returns the pause after this one: half as long again, at most two seconds. */
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
