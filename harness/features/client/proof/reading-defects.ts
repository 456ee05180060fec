import { streamingProtocols } from '../../../kernel/core/index.ts';
import type { ClientDefect } from './variation.ts';

/** Defects in how a client reads answers. */
export const readingDefects: readonly ClientDefect[] = [
  {
    id: 'recovers-all',
    what: 'It takes up a stream from its start, and keeps what it had.',
    breaks: ['client/recovery.from-the-last-event'],
  },
  {
    id: 'skips',
    what: 'It takes up a stream one event too late.',
    breaks: ['client/recovery.from-the-last-event'],
  },
  {
    id: 'repeats',
    what: 'It takes up a stream one event too early, and keeps both.',
    breaks: ['client/recovery.from-the-last-event'],
  },
  {
    id: 'recovers-elsewhere',
    what: 'It takes up a stream in another region.',
    breaks: ['client/recovery.from-the-last-event'],
  },
  {
    id: 'recovers-unstreamed',
    what: 'It takes up a stream without `stream`, and looks the response up until it has ended.',
    breaks: ['client/recovery.from-the-last-event'],
  },
  {
    id: 'regenerates',
    what: 'It generates again where its stream broke.',
    breaks: ['client/recovery.from-the-last-event', 'client/recovery.gives-up'],
  },
  {
    id: 'part-is-whole',
    what: 'It takes a stored stream that broke for a whole one.',
    breaks: ['client/recovery.from-the-last-event', 'client/recovery.gives-up'],
  },
  {
    id: 'regenerates-refused',
    what: 'It generates again where it is refused to go on.',
    breaks: ['client/recovery.gives-up'],
  },
  {
    id: 'takes-the-part',
    what: 'It takes what it has for the whole where it is refused to go on.',
    breaks: ['client/recovery.gives-up'],
  },
  {
    id: 'prints-pages',
    what: 'It takes the page of a proxy for text.',
    breaks: ['client/errors.no-answer:page'],
  },
  {
    id: 'prints-errors',
    what: 'It takes a refusal for text.',
    breaks: ['400', '401', '404', '429', '500'].map((one) => `client/errors.no-answer:${one}`),
  },
  {
    id: 'empty-when-unknown',
    what: 'It takes an unknown model for an empty answer.',
    breaks: ['client/errors.no-answer:404'],
  },
  {
    id: 'errors-alike',
    what: 'It says the same of every error.',
    breaks: ['client/errors.distinguished'],
  },
  {
    id: 'errors-end',
    what: 'It takes an error in a stream for its end.',
    breaks: streamingProtocols.map((one) => `client/errors.in-stream:${one}`),
    speaks: streamingProtocols,
  },
  {
    id: 'needs-no-end',
    what: 'It takes a stream that ends for a whole one.',
    breaks: streamingProtocols.map((one) => `client/stream.no-end-is-no-answer:${one}`),
    speaks: streamingProtocols,
  },
  {
    id: 'one-parser',
    what: 'It reads the text of every protocol wherever it might stand.',
    breaks: ['client/stream.own-parser'],
    speaks: ['messages'],
  },
  {
    id: 'no-rest',
    what: 'It takes each chunk for whole events.',
    breaks: ['client/stream.event-by-event'],
    speaks: ['chat-completions'],
  },
  {
    id: 'first-of-a-chunk',
    what: 'It takes one event of each chunk.',
    breaks: ['client/stream.event-by-event'],
    speaks: ['chat-completions'],
  },
  {
    id: 'decodes-chunks',
    what: 'It decodes each chunk by itself, through the middle of characters.',
    breaks: ['client/stream.event-by-event'],
  },
  {
    id: 'lf-only',
    what: 'It does not know lines that end in CR LF.',
    breaks: ['client/stream.event-by-event'],
  },
  {
    id: 'no-comments',
    what: 'It fails on a comment in a stream.',
    breaks: ['client/stream.event-by-event'],
  },
  {
    id: 'known-types-only',
    what: 'It fails on events that it does not know.',
    breaks: ['client/stream.event-by-event'],
  },
  {
    id: 'known-items-only',
    what: 'It fails on output items, blocks and parts that it does not know.',
    breaks: ['client/stream.unknown-tolerated'],
    speaks: ['responses', 'messages', 'generative'],
  },
];
