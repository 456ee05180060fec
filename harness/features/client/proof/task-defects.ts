import { type ClientDefect, tabled } from './variation.ts';

/** Defects in what a client does of its tasks. */
export const taskDefects: readonly ClientDefect[] = tabled(`
stores-unstored | tasks.sent:store | It stores with \`store: false\`.
streams-nothing | tasks.sent:stream | It asks for no stream where it should.
continues-another | tasks.sent:continue requests.response-id-encoded:continue | It continues another response.
recovers-nothing | tasks.sent:recover | It sends no request where its stream breaks.
looks-up-by-generating | tasks.sent:lookup tasks.no-more:lookup | It asks the model for a response that is stored.
reads-items-by-lookup | tasks.sent:input-items | It looks up the response for its input.
cancels-by-deleting | tasks.sent:cancel tasks.no-more:cancel | It deletes the response that is to be cancelled.
deletes-by-cancelling | tasks.sent:delete | It cancels the response that is to be deleted.
counts-by-generating | tasks.sent:count tasks.no-more:count | It generates to count.
lists-by-post | tasks.sent:list | It posts to the list of models.
generates-besides | tasks.no-more:lookup,input-items,cancel,delete,count,list | It asks for a text where none is needed.
deletes-what-it-looked-up | tasks.no-more:lookup | It deletes a response when it has looked it up.
stores-twice | tasks.no-more:store tasks.no-more:continue | It sends twice what is stored.
runs-twice | tasks.no-more:background retries.lookup-before-resend | It starts two runs in the background.
tells-failed-as-complete | tasks.outcome:failed | It tells a run that failed as a whole answer.
tells-cancelled-as-complete | tasks.outcome:cancelled | It tells a run that was cancelled as a whole answer.
tells-incomplete-as-complete | tasks.outcome:incomplete | It tells a run that is incomplete as a whole answer.
tells-completed-as-failed | tasks.outcome:completed | It tells a run as failed that is complete.
polls-once | tasks.outcome:running errors.no-answer background.polls:failed,cancelled,incomplete | It polls once, and takes what it got for whole.
polls-nothing | background.polls | It does not ask what became of its run.
counts-wrongly | tasks.outcome:served | It tells another count.
names-no-models | tasks.outcome:served | It tells no models of a list.
looks-up-without-end | tasks.bounded | It looks up a response again that has ended.
recovers-without-end | tasks.bounded | It asks again for a stream that it is refused.
unknown-queries | requests.known-queries | It sends a query that nobody knows.
regenerates-cut-again | recovery.cut-again recovery.gives-up retries.lookup-before-resend | It generates again where its stream is cut once more.
takes-two-parts | recovery.cut-again recovery.gives-up tasks.outcome:running errors.broken-no-answer:cut-stream stream.no-end-is-no-answer:responses | It takes two parts of a stream for the whole.
turns-without-history@responses | tasks.sent:converse | It sends each prompt of a conversation alone.
goes-on-from-the-first-turn@responses | tasks.sent:converse | It goes on from the first turn each time.
reconnects-by-id@responses | tasks.sent:converse | It goes on by the id of an unstored response over another connection.
asks-first-turn-twice@responses | tasks.no-more:converse | It sends the first prompt of a conversation twice.
replays-turns@responses | tasks.no-more:converse | It asks all prompts anew where the connection broke between two turns.
tells-a-part-as-all@responses | errors.broken-no-answer:hang-up | It tells a conversation as whole whose connection broke between two turns.
takes-dropped-turns@responses | errors.broken-no-answer:reset,cut-stream,stall stream.no-end-is-no-answer:responses | It takes a turn for whole whose connection breaks.
ignores-failed-turns@responses | errors.in-stream:responses | It takes an error in a turn for its end.
tells-the-last-turn@responses | answers.told-whole:responses errors.broken-no-answer:hang-up | It tells the text of the last turn alone.
limits-the-first-turn@responses | requests.output-limit-set | It sets the limit of the first turn alone.
turns-store-unsaid@responses | requests.store-said | It does not say in a turn whether it is to be stored.
model-encoded-in-turns@responses | requests.model-id-encoded requests.accepted | It encodes the id of the model in a turn.
key-in-turns@responses | requests.key-in-header-only | It shows its key in a turn.
key-in-socket-address@responses | requests.key-in-header-only | It puts its key into the address of a WebSocket.
sockets-by-another-header@responses | requests.credential-header | It shows its key to a WebSocket in another header.
`);
