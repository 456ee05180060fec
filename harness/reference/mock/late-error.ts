import { statusOf } from '../answer.ts';
import type { Call, Frames } from '../call.ts';
import type { StreamEvent } from '../dialect.ts';
import type { LateError } from './note.ts';

/** True if an answer has events that an error can follow. On a WebSocket, the error refuses the turn instead. */
export function hasEvents(call: Call): boolean {
  const { dialect, operation, gateway, body } = call;
  return (
    dialect.name !== 'systemone' &&
    operation !== 'responses.websocket' &&
    gateway.seams.policy.wantsStream(body, call)
  );
}

/**
 * Returns frames whose streams end with a native error. A shorter stream ends normally.
 *
 * @param errorOf returns null for a stream without an error
 */
export function failing(
  frames: Frames,
  errorOf: (call: Call) => LateError | null,
): Pick<Frames, 'responses' | 'chat-completions' | 'messages' | 'generative'> {
  const failed = (name: keyof ReturnType<typeof failing>): Frames['responses'] => {
    return (events, context) => {
      const error = errorOf(context.call);
      const usual = frames[name](events, context);
      return error === null || context.over === 'websocket'
        ? usual
        : endedBy(usual, error, context.call);
    };
  };
  return {
    responses: failed('responses'),
    'chat-completions': failed('chat-completions'),
    messages: failed('messages'),
    generative: failed('generative'),
  };
}

async function* endedBy(
  events: AsyncIterable<StreamEvent>,
  { after, refusal }: LateError,
  call: Call,
): AsyncGenerator<StreamEvent> {
  let sent = 0;
  for await (const event of events) {
    if (sent === after) break;
    yield event;
    sent++;
  }
  if (sent < after) return;
  const { name, data } = call.dialect.errorEvent(refusal, statusOf(refusal, call), call);
  const isNumbered = typeof data !== 'string' && 'sequence_number' in data;
  yield { name, data: isNumbered ? { ...data, sequence_number: sent } : data };
}
