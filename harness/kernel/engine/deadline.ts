import { setMaxListeners } from 'node:events';
import { type CheckVerdict, isTransient } from '../core/index.ts';
import { OutOfTime } from '../wire/index.ts';

/** A signal of a run's own: it aborts with that of the caller, for as long as the run lasts. */
interface OwnSignal {
  readonly stop: AbortSignal;
  /** To be called when the run has ended. */
  readonly end: () => void;
}

/**
 * A signal that every exchange under way may listen to; Node takes more than ten for a leak. A signal of the
 * caller may outlive many runs, and one made of it by `AbortSignal.any` would keep all of them in memory.
 *
 * @param deadlineMs when it aborts by itself, early enough to judge what came
 */
export function ownSignal(signal: AbortSignal | undefined, deadlineMs?: number): OwnSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal, ...(signal === undefined ? [] : [signal]));
  const abort = (): void => own.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const timer = deadlineMs === undefined ? undefined : stopBefore(deadlineMs, own);
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { stop: own.signal, end };
}

function stopBefore(deadlineMs: number, controller: AbortController): NodeJS.Timeout {
  // Milliseconds reserved to end the requests in flight, and to judge and report their answers.
  const reserved = Math.min(deadlineMs / 2, 3_000 + deadlineMs / 10, 15_000);
  const stop = (): void => controller.abort(new OutOfTime(reserved / 2));
  return setTimeout(stop, Math.max(0, deadlineMs - reserved)).unref();
}

/**
 * The verdicts of a run that its deadline stopped, if it did. What is left open then for want of something else was
 * not asked for any more, or what it builds on was not. What a failed check explains has nothing to do with that.
 */
export function afterDeadline(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  stop: AbortSignal,
): ReadonlyMap<string, CheckVerdict> {
  if (!(stop.reason instanceof OutOfTime)) return verdicts;
  return new Map([...verdicts].map(([id, verdict]) => [id, leftOpen(verdict)]));
}

function leftOpen(verdict: CheckVerdict): CheckVerdict {
  if (verdict.state !== 'inconclusive' || isTransient(verdict.cause)) return verdict;
  if (verdict.behind !== undefined) return verdict;
  return { ...verdict, cause: 'out-of-time', reason: `the deadline came first: ${verdict.reason}` };
}
