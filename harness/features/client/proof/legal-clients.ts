import { type Protocol, protocols } from '../../../kernel/core/index.ts';
import { type ClientVariation, variations } from './variation.ts';

/** Optional members that each protocol knows. */
const optional: Readonly<Partial<Record<Protocol, readonly object[]>>> = {
  responses: [
    { temperature: 0.5 },
    { instructions: 'Be brief.' },
    { metadata: { about: 'names' } },
    { truncation: 'auto' },
    { parallel_tool_calls: true },
    { user: 'one' },
  ],
  'chat-completions': [
    { temperature: 0.5, top_p: 1 },
    { seed: 7, n: 1 },
    { user: 'one' },
    { stop: ['###'] },
  ],
  messages: [
    { temperature: 0.5 },
    { system: 'Be brief.' },
    { stop_sequences: ['###'] },
    { metadata: { user_id: 'one' } },
  ],
  generative: [
    { generationConfig: { temperature: 0.5, topP: 1 } },
    { generationConfig: { stopSequences: ['###'] } },
    { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
  ],
};

interface LegalClient extends ClientVariation {
  /** Default: every protocol. */
  readonly speaks?: readonly Protocol[];
}

const widened = protocols.flatMap((protocol) =>
  (optional[protocol] ?? []).map((more): LegalClient => {
    const text = JSON.stringify(more);
    return { id: `with-${text}@${protocol}`, what: `It sends \`${text}\`.`, speaks: [protocol] };
  }),
);

const habits: readonly LegalClient[] = variations({
  'idempotency-key': 'It names a key for each request, and sends none again.',
  'lists-first': 'It asks for the list of models before anything else.',
  'probes-first': 'It sends HEAD and OPTIONS before anything else.',
  'asks-for-a-title': 'It asks for another text besides.',
  'titles-the-prompt': 'It asks for a title, and quotes the prompt.',
  'answers-in-two-steps': 'It plans its answer first.',
  preconnects: 'It opens a connection ahead of time.',
  'keeps-connections': 'It keeps its connections.',
  'sends-chunks': 'It sends bodies in chunks, without their length.',
  'expects-continue': 'It waits for `100 Continue` before it sends a body.',
  'lower-case-scheme': 'It writes `bearer` in lower case.',
  'names-charset': 'It says that its JSON is UTF-8.',
  'names-itself': 'It sends headers of its own.',
  'publishers-names': 'It has the publishers’ names in its headers.',
  'looks-up-first': 'It generates again only after it has looked up what it stored.',
  'recovers-early': 'It takes up a stream one event too early, and drops what it has.',
  'looks-up-broken': 'It looks up the response whose stream broke, and takes up none.',
  'looks-up-refused': 'It looks up the response where it is refused to go on.',
  'looks-once-more': 'It looks once more at a response that has ended.',
  'gives-up-polling': 'It gives up when a poll is put off.',
  'looks-up-before-cancel': 'It looks a response up before it cancels it.',
  'looks-up-after-delete': 'It looks whether a response is gone that it deleted.',
  'limits-lists': 'It asks for so many input items at a time.',
  'streams-its-background': 'It reads the stream of a run in the background, and polls nothing.',
  'recovers-once': 'It gives up where its stream is cut once more.',
  'follows-without-key': 'It follows a redirect without its key.',
  'encodes-everything': 'It encodes what needs not be.',
  'always-streams': 'It asks for a stream, whatever it is asked for.',
  'never-streams': 'It knows no streams.',
  'continues-unstored': 'It continues a response, and does not store the new one.',
  'takes-one-task': 'It is started for each task.',
  'leaves-an-error': 'Its process ends soon after a failure, in a later task.',
  'knows-no-sockets': 'It knows no WebSocket.',
  'connects-for-each-turn': 'It opens a connection for each turn, and sends all that was said.',
  'converses-by-history': 'It sends all that was said with each turn.',
  'stops-where-it-is-cut': 'It gives up where the connection breaks between two turns.',
  'looks-up-dropped-turns': 'It looks up the response of a turn that was cut.',
  'leaves-without-closing': 'It drops its connection when it has the last turn.',
  'waits-first': 'It does nothing for a while.',
  'spaces-its-json': 'It writes its JSON over many lines.',
  'escapes-its-json': 'It writes the letters of its JSON as escapes.',
  'upper-case-headers': 'It writes the names of headers in capitals.',
  'logs-lines': 'It prints other lines before its answer.',
  'says-failed-when-broken': 'It tells what was interrupted as failed, without a text.',
  'says-cut-at-limit': 'It tells an answer as interrupted that ends at its limit.',
  'refuses-calls': 'It fails at a call of a function that it did not offer.',
  'says-no-status': 'It tells of no status.',
});

/** Legal variations of a client. No check may blame one or leave it undecided. */
export const legalClients: readonly LegalClient[] = [...habits, ...widened];
