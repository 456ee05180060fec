import { type ClientDefect, defects, each } from './variation.ts';

const statuses = '400 401 403 404 408 409 413 422 429 500 502 503 504 529'.split(' ');

/** Defects in the retries of a client. */
export const retryDefects: readonly ClientDefect[] = [
  defects({
    breaks: [
      ...each('retries.none-when-uncertain', ['reset', 'no-answer']),
      'retries.none-at-all:refused',
    ],
    clients: {
      'retries-lost': 'It sends a generation again when no answer came.',
      'resends-with-key':
        'It sends a generation again when no answer came, and names an Idempotency-Key.',
      'resends-as-chat': 'It sends a generation again over another protocol when no answer came.',
      'resends-as-stream': 'It sends a generation again as a stream when no answer came.',
      'retries-later': 'It leaves a process behind that sends again when no answer came.',
    },
  }),
  defects({
    breaks: each('retries.none-when-uncertain', ['reset', 'no-answer']),
    clients: {
      'resends-elsewhere': 'It sends a generation again in another region when no answer came.',
    },
  }),
  defects({
    breaks: each('retries.none-when-uncertain', ['no-answer', 'stall']),
    clients: { impatient: 'It sends a generation again when nothing has come for a while.' },
  }),
  defects({
    breaks: ['retries.none-when-uncertain:cut-body'],
    clients: { 'retries-body': 'It sends a generation again when the body of its answer was cut.' },
  }),
  defects({
    breaks: [
      ...each('retries.none-when-uncertain', ['cut-stream', 'stall', 'ends-early']),
      'retries.none-at-all:error-in-stream',
      'retries.lookup-before-resend',
    ],
    clients: { 'retries-stream': 'It sends a generation again when its stream was cut.' },
  }),
  defects({
    breaks: ['retries.lookup-before-resend'],
    clients: {
      'resends-blindly':
        'It sends what it stored again when its stream was cut, and asks for no response.',
    },
  }),
  defects({
    breaks: each('retries.none-when-uncertain', ['reset', 'cut-stream', 'ends-early']),
    speaks: ['responses'],
    clients: { 'resends-dropped-turns': 'It sends a turn again whose connection broke.' },
  }),
  defects({
    breaks: ['retries.none-at-all:error-in-stream'],
    speaks: ['responses'],
    clients: { 'resends-failed-turns': 'It sends a turn again in which an error came.' },
  }),
  defects({
    breaks: each('retries.none-at-all', statuses),
    clients: { 'retries-status': 'It sends a generation again when an error was answered.' },
  }),
  defects({
    breaks: each('retries.none-at-all', '408 409 429 500 502 503 504 529'.split(' ')),
    clients: { 'retries-told': 'It sends a generation again when `Retry-After` is there.' },
  }),
  defects({
    breaks: ['retries.none-when-uncertain', 'retries.none-at-all', 'retries.lookup-before-resend'],
    clients: {
      'retries-streamed': 'It sends a generation again where it asked for a stream.',
      'retries-in-tasks': 'It sends a generation again where it is to be stored.',
      'retries-second': 'It plans its answer first, and sends again what comes then.',
    },
  }),
  ...statuses.map((status) =>
    defects({
      breaks: [`retries.none-at-all:${status}`],
      clients: { [`retries-${status}`]: `It sends a generation again after ${status}.` },
    }),
  ),
].flat();
