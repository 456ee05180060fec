import { type Defect, Refusal } from '../../reference/index.ts';
import type { Front, OwnAnswer, Passing } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Number of failures within `within` milliseconds that lock a caller out for `lockedFor` milliseconds. */
interface Limit {
  readonly failures: number;
  readonly within: number;
  readonly lockedFor: number;
}

/** Counts failures, and decides about a lockout. All callers share one address here. */
class Lock {
  readonly #limit: Limit;
  #failures: number[] = [];
  #lockedUntil = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  get isLocked(): boolean {
    return performance.now() < this.#lockedUntil;
  }

  failed(): void {
    const now = performance.now();
    this.#failures = [...this.#failures.filter((at) => now - at < this.#limit.within), now];
    if (this.#failures.length < this.#limit.failures) return;
    this.#failures = [];
    this.#lockedUntil = now + this.#limit.lockedFor;
  }
}

/** Refuses every key for a while after some wrong keys; `refuse` determines the form. */
function lockout(limit: Limit, refuse: () => undefined): Defect['override'] {
  return ({ policy }) => {
    const lock = new Lock(limit);
    return {
      policy: {
        keyFor: (secret, call) => {
          if (lock.isLocked) return refuse();
          const key = policy.keyFor(secret, call);
          if (key === undefined) lock.failed();
          return key;
        },
      },
    };
  };
}

/** Returns the page of a web application firewall that demands a browser. */
function challenge(status: number): OwnAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', 'cf-mitigated': 'challenge' },
    body: '<!DOCTYPE html><html lang="en"><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue.</p></body></html>',
  };
}

/** True if a firewall with rules for web pages would classify a request as an attack. */
function looksHostile({ method, body }: Passing): boolean {
  if (method !== 'POST') return false;
  const text = body.toString('utf8');
  return !isJson(text) || body.length > 1_000_000 || /\\u0000|\uFFFD|\[{50}/.test(text);
}

function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Answers requests that look like an attack with its page. After many requests with wrong keys, it answers every
 * request with the page for a while.
 */
function wall(status: number, limit: Limit): () => Front {
  return () => {
    const lock = new Lock(limit);
    return {
      answer: (request) => {
        if (lock.isLocked) return challenge(status);
        if (!looksHostile(request)) return null;
        lock.failed();
        return lock.isLocked ? challenge(status) : null;
      },
      answered: (_request, given) => {
        if (given === 401) lock.failed();
      },
    };
  };
}

export const walled: readonly HonestGateway[] = [
  {
    id: 'lockout.2s-after-30',
    what: 'After 30 wrong keys within 5 s, every key is refused with 401 for 2 s.',
    override: lockout({ failures: 30, within: 5_000, lockedFor: 2_000 }, () => undefined),
  },
  {
    id: 'lockout.5s-after-10',
    what: 'After 10 wrong keys within a minute, every key is refused with 403 for 5 s.',
    override: lockout({ failures: 10, within: 60_000, lockedFor: 5_000 }, () => {
      throw new Refusal('unpermitted-model', 'Too many failed attempts. Try again later.');
    }),
  },
  {
    id: 'wall.challenge-403',
    what: 'After 5 wrong keys or bodies that look like an attack within 2 s, everything gets an HTML page with 403 for 2 s.',
    front: wall(403, { failures: 5, within: 2_000, lockedFor: 2_000 }),
  },
  {
    id: 'wall.challenge-429',
    what: 'After 20 wrong keys or bodies that look like an attack within 5 s, everything gets an HTML page with 429 for 3 s.',
    front: wall(429, { failures: 20, within: 5_000, lockedFor: 3_000 }),
  },
];
