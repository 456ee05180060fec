import { createContext, Script } from 'node:vm';

/** Maximum time in milliseconds for matching one request against all rules. */
const mostMs = 250;
/** Number of timeouts after which an expression is not tried any more. */
const mostTries = 3;

const matching = new Script('text.search(pattern) !== -1');
const context = createContext(Object.assign(Object.create(null), { pattern: null, text: '' }));

/** An expression takes too long on the text of a request. */
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

/** Looks for the expressions of a script in the texts of one request, within a time that ends. */
export class BoundedMatch {
  #leftMs = mostMs;

  /** @throws {TooSlow} */
  finds(pattern: RegExp, text: string): boolean {
    // Nothing in it repeats, so it takes as long as the text is.
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

/** The error is of the other context, where `Error` is another. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
