import { createContext, Script } from 'node:vm';

/** Maximum time in milliseconds for matching one request against all rules. */
const mostMs = 250;
/** Number of timeouts after which an expression is not tried again. */
const mostTries = 3;

const matching = new Script('text.search(pattern) !== -1');
const context = createContext(Object.assign(Object.create(null), { pattern: null, text: '' }));

/** Error for an expression that takes too long on the text of a request. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';

  constructor(pattern: RegExp) {
    super(
      `The expression ${String(pattern).slice(0, 80)} of the script takes more than ${mostMs} ms on this text. ` +
        'Write it without a repetition inside of a repetition.',
    );
  }
}

const slow = new WeakMap<RegExp, number>();

/** Matches the expressions of a script against the texts of one request, within a time limit. */
export class BoundedMatch {
  #leftMs = mostMs;

  /** @throws {TooSlow} */
  finds(pattern: RegExp, text: string): boolean {
    // Without repetition or escapes, the match takes time linear in the text.
    if (!/[*+?{\\]/.test(pattern.source)) return text.search(pattern) !== -1;
    const before = slow.get(pattern) ?? 0;
    if (before >= mostTries || this.#leftMs < 1) throw new TooSlow(pattern);
    const began = performance.now();
    try {
      Object.assign(context, { pattern, text });
      return matching.runInContext(context, { timeout: Math.ceil(this.#leftMs) }) === true;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      slow.set(pattern, before + 1);
      throw new TooSlow(pattern);
    } finally {
      Object.assign(context, { pattern: null, text: '' });
      this.#leftMs -= performance.now() - began;
    }
  }
}

/** True for a timeout. The error comes from another context, whose `Error` is a different class. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
