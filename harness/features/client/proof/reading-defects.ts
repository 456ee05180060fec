import { protocols, streamingProtocols } from '../../../kernel/core/index.ts';
import { type ClientDefect, defects, each, tabled } from './variation.ts';

/** Defects in how a client reads answers. */
export const readingDefects: readonly ClientDefect[] = [
  tabled(`
says-complete | errors.no-answer errors.broken-no-answer errors.in-stream:responses stream.no-end-is-no-answer:responses recovery.gives-up tasks.outcome | It tells every answer as complete, whatever became of it.
prints-pages | errors.no-answer:page | It takes the page of a proxy for text.
empty-when-unknown | errors.no-answer:404 | It takes an unknown model for an empty answer.
errors-alike | errors.distinguished | It says the same of every error.
decodes-chunks | stream.event-by-event | It decodes each chunk by itself, through the middle of characters.
lf-only | stream.event-by-event | It does not know lines that end in CR LF.
no-comments | stream.event-by-event | It fails on a comment in a stream.
known-types-only | stream.event-by-event | It fails on events that it does not know.
`),
  defects({
    breaks: ['recovery.from-the-last-event', 'tasks.outcome:completed'],
    sometimes: ['client/errors.broken-no-answer', 'client/stream.no-end-is-no-answer'],
    clients: {
      'recovers-all': 'It takes up a stream from its start, and keeps what it had.',
      skips: 'It takes up a stream one event too late.',
      repeats: 'It takes up a stream one event too early, and keeps both.',
    },
  }),
  defects({
    breaks: ['recovery.from-the-last-event'],
    sometimes: ['client/errors.broken-no-answer', 'client/stream.no-end-is-no-answer'],
    clients: {
      'recovers-unstreamed':
        'It takes up a stream without `stream`, and looks the response up until it has ended.',
    },
  }),
  defects({
    breaks: ['recovery.from-the-last-event', 'requests.original-region'],
    sometimes: ['client/errors.broken-no-answer', 'client/stream.no-end-is-no-answer'],
    clients: {
      'recovers-elsewhere': 'It takes up a stream in another region.',
    },
  }),
  defects({
    breaks: ['answers.told-whole', 'answers.stream-told-whole', 'tasks.outcome'],
    speaks: protocols,
    clients: { 'says-interrupted': 'It tells every answer as interrupted.' },
  }),
  defects({
    breaks: [
      'answers.told-whole',
      'answers.stream-told-whole',
      'recovery.from-the-last-event',
      'tasks.outcome',
    ],
    speaks: protocols,
    clients: {
      'says-failed': 'It tells every answer as failed.',
      'prints-nothing': 'It tells no text of any answer.',
    },
  }),
  defects({
    breaks: [...each('answers.told-whole', streamingProtocols), 'tasks.outcome:completed'],
    speaks: streamingProtocols,
    clients: { 'bodies-without-text': 'It reads no text of an answer in one body.' },
  }),
  defects({
    breaks: [
      ...each('answers.stream-told-whole', streamingProtocols),
      'recovery.from-the-last-event',
      'tasks.outcome:completed',
    ],
    speaks: streamingProtocols,
    clients: { 'streams-without-text': 'It reads the beginning of a stream alone.' },
  }),
  defects({
    breaks: [
      'recovery.from-the-last-event',
      'recovery.gives-up',
      'retries.lookup-before-resend',
      'tasks.sent:recover',
    ],
    sometimes: ['client/retries'],
    clients: { regenerates: 'It generates again where its stream broke.' },
  }),
  defects({
    breaks: [
      'recovery.from-the-last-event',
      'recovery.gives-up',
      'tasks.sent:recover',
      'tasks.outcome:running',
    ],
    sometimes: ['client/errors', 'client/stream.no-end-is-no-answer'],
    clients: { 'part-is-whole': 'It takes a stored stream that broke for a whole one.' },
  }),
  defects({
    breaks: ['errors.broken-no-answer', 'errors.no-answer', 'tasks.outcome:running'],
    clients: { 'failed-poll-ends': 'It takes a poll that fails for the end.' },
  }),
  defects({
    breaks: ['recovery.gives-up'],
    sometimes: ['client/errors', 'client/retries'],
    clients: { 'regenerates-refused': 'It generates again where it is refused to go on.' },
  }),
  defects({
    breaks: ['recovery.gives-up', 'tasks.outcome:running'],
    sometimes: ['client/errors', 'client/retries'],
    clients: {
      'takes-the-part': 'It takes what it has for the whole where it is refused to go on.',
    },
  }),
  defects({
    breaks: each('errors.no-answer', '400 401 403 404 408 409 413 422 429 500'.split(' ')),
    clients: { 'prints-errors': 'It takes a refusal for text.' },
  }),
  defects({
    breaks: each('errors.in-stream', streamingProtocols),
    speaks: streamingProtocols,
    clients: { 'errors-end': 'It takes an error in a stream for its end.' },
  }),
  defects({
    breaks: each('stream.no-end-is-no-answer', streamingProtocols),
    sometimes: ['client/recovery'],
    speaks: streamingProtocols,
    clients: { 'needs-no-end': 'It takes a stream that ends for a whole one.' },
  }),
  defects({
    breaks: ['errors.in-stream:responses'],
    clients: {
      'failed-ends': 'It takes the event of a failed response for the end of a whole one.',
    },
  }),
  defects({
    breaks: ['answers.text-alone'],
    speaks: ['responses', 'messages', 'generative'],
    clients: { 'prints-thoughts': 'It prints the thoughts of the model with the text.' },
  }),
  defects({
    breaks: ['answers.text-alone'],
    clients: { 'any-delta': 'It takes the fragment of each event for text.' },
  }),
  defects({
    breaks: ['answers.text-alone', 'stream.unknown-tolerated'],
    speaks: ['responses', 'messages', 'generative'],
    clients: { 'first-only': 'It reads the first output item, block or part alone.' },
  }),
  defects({
    breaks: ['stream.own-parser'],
    speaks: ['messages'],
    clients: { 'one-parser': 'It reads the text of every protocol wherever it might stand.' },
  }),
  defects({
    breaks: ['stream.event-by-event'],
    // An ordinary stream may come in joined chunks, too.
    sometimes: ['client/answers.stream-told-whole'],
    speaks: ['chat-completions'],
    clients: {
      'no-rest': 'It takes each chunk for whole events.',
      'first-of-a-chunk': 'It takes one event of each chunk.',
    },
  }),
  defects({
    breaks: ['stream.unknown-tolerated'],
    speaks: ['responses', 'messages', 'generative'],
    clients: {
      'known-items-only': 'It fails on output items, blocks and parts that it does not know.',
    },
  }),
].flat();
