/**
 * The events that end a response, with the resulting status. No source documents `response.cancelled`, but a
 * gateway may send it, so it requires no status.
 */
const terminalEvents: Readonly<Record<string, string | null>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': null,
};

/** The documented terminal events. */
export const terminalTypes: readonly string[] = Object.keys(terminalEvents).filter(
  (type) => statusAtEnd(type) !== null,
);

/** The status of a response that this event ends. Null for any other event. */
export function statusAtEnd(type: string | null): string | null {
  return type === null || !Object.hasOwn(terminalEvents, type)
    ? null
    : (terminalEvents[type] ?? null);
}

export function endsResponse(type: string | null): boolean {
  return type !== null && Object.hasOwn(terminalEvents, type);
}

/** Types of the frame that ends a turn over a WebSocket: the end of its response, or an error. */
export const turnEnds: readonly string[] = [...Object.keys(terminalEvents), 'error'];

export function endsTurn(type: string | null): boolean {
  return type !== null && turnEnds.includes(type);
}

export function isRunning(status: string | null): boolean {
  return status === 'queued' || status === 'in_progress';
}
