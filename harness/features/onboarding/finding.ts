/** Result of looking at one fact. */
export interface Finding {
  /** `unreachable`: nothing of this target can be judged. `unknown`: no free request tells. */
  readonly mark: 'right' | 'wrong' | 'unknown' | 'unreachable';
  /** The target file is right, and a run will report the gateway for it. */
  readonly fails?: true;
  readonly what: string;
  /** Advice on what to do about it. */
  readonly next?: string;
}
