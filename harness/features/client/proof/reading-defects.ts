import { type ClientDefect, tabled } from './variation.ts';

/** Defects in how a client reads answers. */
export const readingDefects: readonly ClientDefect[] = tabled(`
says-complete | errors.no-answer errors.broken-no-answer errors.in-stream:responses stream.no-end-is-no-answer:responses recovery.gives-up tasks.outcome | It tells every answer as complete, whatever became of it.
says-interrupted | answers.told-whole:responses answers.stream-told-whole:responses tasks.outcome | It tells every answer as interrupted.
says-failed | answers.told-whole:responses answers.stream-told-whole:responses recovery.from-the-last-event tasks.outcome | It tells every answer as failed.
prints-nothing | answers.told-whole:responses answers.stream-told-whole:responses recovery.from-the-last-event tasks.outcome | It tells no text of any answer. | errors recovery.gives-up stream.no-end-is-no-answer
bodies-without-text | answers.told-whole:responses answers.cut-at-limit tasks.outcome:completed | It reads no text of an answer in one body. | answers.text-alone errors stream.unknown-tolerated
streams-without-text | answers.stream-told-whole:responses recovery.from-the-last-event tasks.outcome:completed | It reads the beginning of a stream alone. | errors recovery.gives-up stream.no-end-is-no-answer
prints-pages | errors.no-answer:page | It takes the page of a proxy for text.
prints-errors | errors.no-answer:400,401,403,404,408,409,413,422,429,500 | It takes a refusal for text.
empty-when-unknown | errors.no-answer:404 | It takes an unknown model for an empty answer.
errors-alike | errors.distinguished | It says the same of every error.
errors-end | errors.in-stream:responses | It takes an error in a stream for its end. | tasks.outcome
failed-ends | errors.in-stream:responses | It takes the event of a failed response for the end of a whole one. | tasks.outcome
needs-no-end | stream.no-end-is-no-answer:responses | It takes a stream that ends for a whole one. | recovery tasks
prints-thoughts | answers.text-alone:thoughts | It prints the thoughts of the model with the text.
prints-calls | answers.text-alone:calls | It prints the arguments of a call with the text.
prints-refusals | answers.text-alone:refusals | It prints a refusal with the text.
drops-what-is-cut | answers.cut-at-limit | It tells no text of an answer that ends at its limit.
asks-again-at-limit | answers.cut-at-limit | It generates again where an answer ends at its limit.
first-only | answers.text-alone stream.unknown-tolerated | It reads the first output item, block or part alone.
known-items-only | stream.unknown-tolerated | It fails on output items, blocks and parts that it does not know.
any-delta | answers.text-alone | It takes the fragment of each event for text.
decodes-chunks | stream.event-by-event | It decodes each chunk by itself, through the middle of characters.
lf-only | stream.event-by-event | It does not know lines that end in CR LF.
no-comments | stream.event-by-event | It fails on a comment in a stream.
known-types-only | stream.event-by-event | It fails on events that it does not know.
recovers-all | recovery.from-the-last-event tasks.outcome:completed | It takes up a stream from its start, and keeps what it had. | errors.broken-no-answer recovery.gives-up stream.no-end-is-no-answer
skips | recovery.from-the-last-event tasks.outcome:completed | It takes up a stream one event too late. | errors.broken-no-answer recovery.gives-up stream.no-end-is-no-answer
repeats | recovery.from-the-last-event tasks.outcome:completed | It takes up a stream one event too early, and keeps both. | errors.broken-no-answer recovery.gives-up stream.no-end-is-no-answer
recovers-elsewhere | recovery.from-the-last-event requests.original-region | It takes up a stream in another region. | errors.broken-no-answer stream.no-end-is-no-answer
recovers-unstreamed | recovery.from-the-last-event | It takes up a stream without \`stream\`, and looks the response up until it has ended. | errors.broken-no-answer stream.no-end-is-no-answer
regenerates | recovery.from-the-last-event recovery.gives-up retries.lookup-before-resend tasks.sent:recover | It generates again where its stream broke. | retries
part-is-whole | recovery.from-the-last-event recovery.gives-up tasks.sent:recover tasks.outcome:running | It takes a stored stream that broke for a whole one. | errors stream.no-end-is-no-answer
failed-poll-ends | errors.broken-no-answer errors.no-answer tasks.outcome:running | It takes a poll that fails for the end.
regenerates-refused | recovery.gives-up | It generates again where it is refused to go on. | errors retries
takes-the-part | recovery.gives-up tasks.outcome:running | It takes what it has for the whole where it is refused to go on. | errors retries
one-parser@messages | stream.own-parser | It reads the text of every protocol wherever it might stand.
no-rest@chat-completions | stream.event-by-event | It takes each chunk for whole events. | answers.stream-told-whole
first-of-a-chunk@chat-completions | stream.event-by-event | It takes one event of each chunk. | answers.stream-told-whole
`);
