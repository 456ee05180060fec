import type { ClientDefect } from './variation.ts';

/** Defects in the retries of a client. */
export const retryDefects: readonly ClientDefect[] = [
  {
    id: 'retries-lost',
    what: 'It sends a generation again when no answer came.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-at-all:refused',
    ],
  },
  {
    id: 'resends-with-key',
    what: 'It sends a generation again when no answer came, and names an Idempotency-Key.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-at-all:refused',
    ],
  },
  {
    id: 'resends-elsewhere',
    what: 'It sends a generation again in another region when no answer came.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
    ],
  },
  {
    id: 'resends-as-chat',
    what: 'It sends a generation again over another protocol when no answer came.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-at-all:refused',
    ],
  },
  {
    id: 'resends-as-stream',
    what: 'It sends a generation again as a stream when no answer came.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-at-all:refused',
    ],
  },
  {
    id: 'impatient',
    what: 'It sends a generation again when nothing has come for a while.',
    breaks: [
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-when-uncertain:stall',
    ],
  },
  {
    id: 'retries-body',
    what: 'It sends a generation again when the body of its answer was cut.',
    breaks: ['client/retries.none-when-uncertain:cut-body'],
  },
  {
    id: 'retries-stream',
    what: 'It sends a generation again when its stream was cut.',
    breaks: [
      'client/retries.none-when-uncertain:cut-stream',
      'client/retries.none-when-uncertain:stall',
      'client/retries.lookup-before-resend',
    ],
  },
  {
    id: 'resends-blindly',
    what: 'It sends what it stored again when its stream was cut, and asks for no response.',
    breaks: ['client/retries.lookup-before-resend'],
  },
  {
    id: 'retries-status',
    what: 'It sends a generation again when an error was answered.',
    breaks: [
      'client/retries.none-at-all:429',
      'client/retries.none-at-all:500',
      'client/retries.none-at-all:502',
      'client/retries.none-at-all:503',
      'client/retries.none-at-all:504',
    ],
  },
  {
    id: 'retries-429',
    what: 'It sends a generation again after 429.',
    breaks: ['client/retries.none-at-all:429'],
  },
  {
    id: 'retries-500',
    what: 'It sends a generation again after 500.',
    breaks: ['client/retries.none-at-all:500'],
  },
  {
    id: 'retries-502',
    what: 'It sends a generation again after 502.',
    breaks: ['client/retries.none-at-all:502'],
  },
  {
    id: 'retries-503',
    what: 'It sends a generation again after 503.',
    breaks: ['client/retries.none-at-all:503'],
  },
  {
    id: 'retries-504',
    what: 'It sends a generation again after 504.',
    breaks: ['client/retries.none-at-all:504'],
  },
  {
    id: 'retries-told',
    what: 'It sends a generation again when `Retry-After` is there.',
    breaks: [
      'client/retries.none-at-all:429',
      'client/retries.none-at-all:500',
      'client/retries.none-at-all:502',
      'client/retries.none-at-all:503',
      'client/retries.none-at-all:504',
    ],
  },
];
