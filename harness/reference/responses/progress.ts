/** Status of a response in the Responses API. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

export interface Progress {
  readonly status: ResponseStatus;
  readonly written: number;
  /** True if its first output item has been opened. */
  readonly isOpen: boolean;
}

export function isFinal(status: ResponseStatus): boolean {
  return status !== 'queued' && status !== 'in_progress';
}
