import { type ClientDefect, tabled } from './variation.ts';

const statuses = '400 401 403 404 408 409 413 422 429 500 502 503 504 529'.split(' ');

/** Defects in the retries of a client. */
export const retryDefects: readonly ClientDefect[] = [
  tabled(`
retries-lost | retries.none-when-uncertain:reset,no-answer retries.none-at-all:refused | It sends a generation again when no answer came.
resends-with-key | retries.none-when-uncertain:reset,no-answer retries.none-at-all:refused | It sends a generation again when no answer came, and names an Idempotency-Key.
resends-as-chat | retries.none-when-uncertain:reset,no-answer retries.none-at-all:refused | It sends a generation again over another protocol when no answer came.
resends-as-stream | retries.none-when-uncertain:reset,no-answer retries.none-at-all:refused | It sends a generation again as a stream when no answer came.
retries-later | retries.none-when-uncertain:reset,no-answer retries.none-at-all:refused | It leaves a process behind that sends again when no answer came.
resends-elsewhere | retries.none-when-uncertain:reset,no-answer | It sends a generation again in another region when no answer came. | requests.original-region
impatient | retries.none-when-uncertain:no-answer,stall | It sends a generation again when nothing has come for a while.
retries-body | retries.none-when-uncertain:cut-body | It sends a generation again when the body of its answer was cut.
retries-stream | retries.none-when-uncertain:cut-stream,stall,ends-early retries.none-at-all:error-in-stream retries.lookup-before-resend | It sends a generation again when its stream was cut.
resends-blindly | retries.lookup-before-resend | It sends what it stored again when its stream was cut, and asks for no response.
retries-status | retries.none-at-all:${statuses} | It sends a generation again when an error was answered.
retries-told | retries.none-at-all:408,409,429,500,502,503,504,529 | It sends a generation again when \`Retry-After\` is there.
retries-streamed | retries.none-when-uncertain retries.none-at-all retries.lookup-before-resend | It sends a generation again where it asked for a stream.
retries-in-tasks | retries.none-when-uncertain retries.none-at-all retries.lookup-before-resend | It sends a generation again where it is to be stored.
retries-second | retries.none-when-uncertain retries.none-at-all retries.lookup-before-resend | It plans its answer first, and sends again what comes then.
resends-dropped-turns@responses | retries.none-when-uncertain:reset,cut-stream,ends-early,stall | It sends a turn again whose connection broke.
resends-failed-turns@responses | retries.none-at-all:error-in-stream | It sends a turn again in which an error came.
`),
  ...statuses.map((status) =>
    tabled(
      `retries-${status} | retries.none-at-all:${status} | It sends a generation again after ${status}.`,
    ),
  ),
].flat();
