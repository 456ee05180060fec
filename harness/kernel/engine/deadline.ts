import { setMaxListeners } from 'node:events';
import { type CheckVerdict, isTransient } from '../core/index.ts';
import { OutOfTime } from '../wire/index.ts';

/** Abort signal of one run. It follows the signal of the caller for as long as the run lasts. */
interface OwnSignal {
  readonly stop: AbortSignal;
  readonly end: () => void;
}

/**
 * Creates a signal for any number of listeners: every exchange in flight listens, and Node warns of a leak above
 * ten. The caller's signal may outlive many runs, and `AbortSignal.any` would keep all of them in memory.
 *
 * @param deadlineMs the signal aborts by itself before this time, early enough to judge the answers
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
 * Returns the verdicts of a run, with `out-of-time` as the cause of what is inconclusive if the deadline stopped
 * it: the missing requests, or those they build on, were not sent any more. Transient failures keep their cause,
 * and so do checks behind a failed check.
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
