import type { ExchangeFailure } from '../core/index.ts';

/** Reason of the stop signal if the run has used up its time and was not interrupted by the user. */
export class OutOfTime {
  /** Milliseconds that exchanges in flight may still take. */
  readonly graceMs: number;

  constructor(graceMs: number) {
    this.graceMs = graceMs;
  }
}

interface Stopped {
  readonly kind: 'interrupted' | 'out-of-time';
  /** `the run was interrupted` */
  readonly words: string;
  /** Milliseconds that exchanges in flight may still take, or null if their timeout does not change. */
  readonly graceMs: number | null;
}

/** Returns why a run is stopped. Any reason but `OutOfTime` is an interruption by the user. */
export function stoppedBy(stop: AbortSignal | undefined): Stopped {
  const reason: unknown = stop?.reason;
  return reason instanceof OutOfTime
    ? { kind: 'out-of-time', words: 'the deadline came', graceMs: reason.graceMs }
    : { kind: 'interrupted', words: 'the run was interrupted', graceMs: null };
}

/** Returns the failure of an exchange that is not begun because the run is stopped. */
export function notBegun(stop: AbortSignal | undefined): ExchangeFailure {
  const { kind, words } = stoppedBy(stop);
  return { kind, message: `${words} before this request was sent` };
}
