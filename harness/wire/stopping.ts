import type { ExchangeFailure } from '../core/index.ts';

/** Why a run is stopped that nobody interrupted, as the reason of its signal: its time is over. */
export class OutOfTime {
  /** So many milliseconds what is under way may still take. */
  readonly graceMs: number;

  constructor(graceMs: number) {
    this.graceMs = graceMs;
  }
}

/** What a stop does to an exchange. */
interface Stopped {
  readonly kind: 'interrupted' | 'out-of-time';
  /** `the run was interrupted` */
  readonly words: string;
  /** So long what is under way may still take; null: as long as usual. */
  readonly graceMs: number | null;
}

/** Why a run is stopped; by default the user interrupted it. */
export function stoppedBy(stop: AbortSignal | undefined): Stopped {
  const reason: unknown = stop?.reason;
  return reason instanceof OutOfTime
    ? { kind: 'out-of-time', words: 'the deadline came', graceMs: reason.graceMs }
    : { kind: 'interrupted', words: 'the run was interrupted', graceMs: null };
}

/** Why an exchange is not begun once the run is stopped. */
export function notBegun(stop: AbortSignal | undefined): ExchangeFailure {
  const { kind, words } = stoppedBy(stop);
  return { kind, message: `${words} before this request was sent` };
}
