/** Result of checking one fact. */
export interface Finding {
  /** `unreachable`: nothing of this target can be judged. `unknown`: no free request tells. */
  readonly mark: 'right' | 'wrong' | 'unknown' | 'unreachable';
  /** True if the target file is right, and a run will report the gateway for it. */
  readonly fails?: true;
  readonly what: string;
  /** Advice for the user. */
  readonly next?: string;
}
