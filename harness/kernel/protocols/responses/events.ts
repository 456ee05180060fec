/**
 * The events that end a response, with the status that it then has. No source shows
 * `response.cancelled`, but a gateway may well send one: it has no status that it must have.
 */
const terminalEvents: Readonly<Record<string, string | null>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': null,
};

/** The documented ones. */
export const terminalTypes: readonly string[] = Object.keys(terminalEvents).filter(
  (type) => statusAtEnd(type) !== null,
);

/** The status that a response has when it ends with this event; null for any other event. */
export function statusAtEnd(type: string | null): string | null {
  return type === null || !Object.hasOwn(terminalEvents, type)
    ? null
    : (terminalEvents[type] ?? null);
}

/** True for an event after which nothing of a response comes. */
export function endsResponse(type: string | null): boolean {
  return type !== null && Object.hasOwn(terminalEvents, type);
}

/** Types of the frame that ends a turn over a WebSocket: the end of its response, or an error. */
export const turnEnds: readonly string[] = [...Object.keys(terminalEvents), 'error'];

/** True for such a frame. */
export function endsTurn(type: string | null): boolean {
  return type !== null && turnEnds.includes(type);
}

/** True for the status of a response that is still being made. */
export function isRunning(status: string | null): boolean {
  return status === 'queued' || status === 'in_progress';
}
