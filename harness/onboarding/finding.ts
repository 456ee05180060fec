/** One thing that was looked at. */
export interface Finding {
  /** `unreachable`: nothing of this target can be judged. `unknown`: no free request tells. */
  readonly mark: 'right' | 'wrong' | 'unknown' | 'unreachable';
  readonly what: string;
  /** What to do about it. */
  readonly next?: string;
}
