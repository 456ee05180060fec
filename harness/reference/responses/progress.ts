/** Status of a response, as the Responses API names it. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

/** How far a turn was at some moment. */
export interface Progress {
  readonly status: ResponseStatus;
  /** Pieces. */
  readonly written: number;
  /** Whether its first output item is there. */
  readonly isOpen: boolean;
}

export function isFinal(status: ResponseStatus): boolean {
  return status !== 'queued' && status !== 'in_progress';
}
