import { variants } from '../../proof/index.ts';
import type { AskedCapability } from '../../reference/index.ts';

/** Calls that fail, and whose fault that is by the documents. */
export interface KnownBreak {
  /** Ids of variants: these, and no others. */
  readonly variants: readonly string[];
  /** The client's short name begins with this. Absent: all clients. */
  readonly client?: string;
  /** Calls that fail, or all if the client reads no answer at all. */
  readonly calls: readonly string[] | 'all';
  /** Known error message. Any other one is new. */
  readonly says: RegExp;
  readonly because: string;
  readonly source: string;
}

/** The calls that need what a model may lack. */
const needing: Readonly<Partial<Record<AskedCapability, readonly string[]>>> = {
  structured_output: ofProtocols('structured'),
  images: ofProtocols('image'),
  stop: ['stop', 'chat stop'],
  logprobs: ['responses logprobs', 'chat logprobs'],
  candidates: ['candidates', 'chat n'],
};

/** A variant says itself what its models lack: so nothing is listed here twice. */
const lacking: readonly KnownBreak[] = variants.flatMap(({ id, silentAbout = [] }) =>
  silentAbout.map((capability) => ({
    variants: [id],
    calls: needing[capability] ?? [],
    says: new RegExp(`does not support '${capability}'`),
    because: 'nobody: the models lack what the call needs',
    source: '`fixtures/specification.md`, CAP-2 and CAP-3',
  })),
);

const noText = {
  says: /not so: (text|whole|goes on|calls, and goes on)|end of JSON input|invalid structured output JSON|undefined \(reading 'text'\)|No object generated|Max turns|was served, and had to be refused/,
  because: 'nobody: the call wants a text, and a model may say nothing',
};
const ownStatus = {
  says: /not so: (class|status)$/,
  because: 'nobody: the call wants the usual status, which is not specified',
  source: '`fixtures/specification.md`, ERROR-GAP-1',
};
const sse = 'HTML, server-sent events, 9.2.5 and 9.2.6';
const noAnswer = /fetch failed|Connection error|Cannot connect to API|not so: (class|status)$/;
const versions =
  'Messages API, versions: "Add new variants to enum-like output values (for example, streaming event types)"';

export const knownBreaks: readonly KnownBreak[] = [
  ...lacking,
  {
    variants: ['asked.one-at-a-time'],
    client: 'openai-agents',
    calls: ['responses structured'],
    says: /Ask for one thing at a time/,
    because: 'nobody: the client asks for two things, and the model does one of them',
    source: '`fixtures/specification.md`, CAP-3',
  },
  {
    variants: ['asked.ends-before-it-counts'],
    client: 'anthropic',
    calls: ['stop'],
    says: /not so: told$/,
    because: 'nobody: the call wants to be stopped, and the model ends before',
    source: 'Messages API, stop reasons: `end_turn`, the model ended by itself',
  },
  {
    variants: ['input.no-system-prompts'],
    client: 'anthropic',
    calls: ['cache marked'],
    says: /takes no 'system'/,
    because: 'nobody: the call has a system prompt, and the model takes none',
    source: '`fixtures/specification.md`, CAP-3',
  },
  {
    ...ownStatus,
    variants: [400, 401, 403, 409, 410, 422].map((status) => `refusals.denied-${status}`),
    client: 'openai',
    calls: ['responses lookup, delete', 'error 404'],
  },
  {
    ...ownStatus,
    variants: ['refusals.no-key-401', 'refusals.no-key-403'],
    client: 'google-genai',
    calls: ['error 400'],
  },
  { ...ownStatus, variants: ['refusals.no-key-403'], calls: ['error 401'] },
  { ...ownStatus, variants: ['refusals.bad-body-422'], calls: ['error 400'] },
  {
    variants: ['responses.echo'],
    client: 'openai',
    calls: ['responses limit'],
    says: /not so: is incomplete$/,
    because: 'nobody: the call wants a text that reaches its limit, and a model may say less',
    source: '`openai`, `max_output_tokens`: "An upper bound"',
  },
  {
    ...noText,
    variants: ['empty-text.chat-completions'],
    calls: [
      ...['create', 'stream', 'stream()', 'runTools', 'generate', 'invoke', 'run'],
      ...['tool loop', 'structured'],
    ].map((call) => `chat ${call}`),
    source: '`openai`, `ChatCompletionMessage`: `content` may be null',
  },
  {
    ...noText,
    variants: ['empty-text.messages'],
    calls: [
      ...['create', 'raw stream', 'stream()', 'tool forced, and its result', 'structured', 'abort'],
      ...['generate', 'stream', 'tool loop', 'invoke'].map((call) => `messages ${call}`),
    ],
    source: 'Messages API, stop reasons: "Empty responses with end_turn"',
  },
  {
    ...noText,
    variants: ['empty-text.generative'],
    calls: [
      ...['generate', 'stream', 'tool forced, and its result', 'structured', 'chat'],
      ...['generate', 'stream', 'tool loop', 'structured'].map((call) => `generative ${call}`),
    ],
    source: '`@google/genai`, `Content`: `parts` and `text` may be left out',
  },
  {
    // Whichever call sends an input first is the one that is told nothing.
    ...noText,
    variants: ['generative.stop-without-parts'],
    calls: [
      'generate',
      'stream',
      'chat',
      ...['generate', 'stream', 'invoke'].map((call) => `generative ${call}`),
    ],
    source: '`@google/genai`, `Content`: `parts` may be left out',
  },
  {
    variants: ['pace.within-a-round-trip', 'pace.background-at-once'],
    client: 'openai',
    calls: ['responses cancel'],
    says: /Cannot cancel a completed response/,
    because: 'nobody: the run had ended before it was cancelled',
    source: '`fixtures/specification.md`, END-23: of runs that have ended nothing is said',
  },
  {
    variants: ['framing.cr'],
    client: 'ai-sdk',
    calls: ['responses stream', 'messages stream', 'generative stream'],
    says: /not so: whole$/,
    because:
      'client: its parser holds back a CR that ends a chunk, so that the last event is never read',
    source: `${sse}; \`eventsource-parser\`, \`processLines\``,
  },
  {
    variants: [
      ...['framing.blank-lines', 'framing.comment-first', 'framing.comments'],
      ...['framing.retry', 'framing.no-space'],
    ],
    client: 'langchain',
    calls: ['generative stream', 'outside of any call'],
    says: /Failed to parse stream/,
    because:
      'client: its Google client reads a stream with a regular expression, not with a parser',
    source: `${sse}; \`@google/generative-ai\`, \`responseLineRE\``,
  },
  {
    variants: ['responses-stream.unknown-events'],
    client: 'openai',
    calls: ['responses stream()'],
    says: /Unhandled response stream event/,
    because: 'client: new types of events may come at any time',
    source:
      'API reference of OpenAI (a copy of 2024), backwards compatibility: "Adding new event types"',
  },
  {
    variants: ['messages-stream.unknown-events'],
    client: 'ai-sdk',
    calls: ['messages stream'],
    says: /Type validation failed/,
    because: 'client: new types of events may come at any time',
    source: versions,
  },
  {
    variants: ['messages.unknown-block-first'],
    client: 'ai-sdk',
    calls: ['generate', 'stream', 'tool loop', 'structured', 'image'].map(
      (call) => `messages ${call}`,
    ),
    says: /Invalid JSON response|Type validation failed/,
    because: 'client: it refuses a type of content that it does not know',
    source: versions,
  },
  {
    variants: ['messages.call-at-limit'],
    client: 'ai-sdk',
    calls: ['messages tool loop'],
    says: /not so: calls, and goes on$/,
    because: 'nobody: the client performs no call of a message that reached its limit',
    source: 'Messages API, stop reasons: `max_tokens`, the message may be cut',
  },
  {
    variants: ['members.more-everywhere'],
    client: 'openai-agents',
    calls: ['responses stream'],
    says: /"path": \[ "x_gateway_note" \]/,
    because: 'client: it wants every member of the details of the usage to be a number',
    source:
      'API reference of OpenAI (a copy of 2024), backwards compatibility: "Adding new properties to JSON response objects"; `@openai/agents-core`, `UsageData`',
  },
  {
    variants: ['responses.items-without-status'],
    client: 'ai-sdk',
    calls: ['responses tool loop'],
    says: /Invalid JSON response/,
    because: 'client: it wants the `id` of a call, which may be left out',
    source: '`openai`, `ResponseFunctionToolCall`: `id?: string`',
  },
  {
    variants: ['responses-stream.second-message'],
    calls: ['responses structured'],
    says: /"Done\." is not valid JSON|invalid structured output JSON|could not parse the response/,
    because: 'nobody: the call wants nothing but JSON, and the output has a second message',
    source: '`openai`, `Response.output`: its length and order depend on the model',
  },
  {
    variants: ['transport.one-chunk'],
    client: 'anthropic',
    calls: ['abort'],
    says: /no end$/,
    because:
      'client: the fetch of Node 20 never settles a read of a body that had come before it was aborted; that of 22 and later does',
    source: '`nodejs/undici`, issue 4089, and its correction 3754',
  },
  {
    variants: ['models.last-page-empty-token'],
    client: 'google-genai',
    calls: ['models list'],
    says: /no end$/,
    because: 'client: an empty token is none; it asks for the first page again, without end',
    source:
      'AIP-158: "the next_page_token field must be empty"; ProtoJSON: a default may be left out or written; `@google/genai`, `Pager.hasNextPage`',
  },
  {
    variants: ['http.continue-unasked'],
    calls: 'all',
    says: noAnswer,
    because:
      'client: the fetch of Node ends a connection on a 100 (Continue) that it has not asked for',
    source:
      'RFC 9110, 15.2: a client has to read 1xx responses, also unasked; `undici`, `client-h1`',
  },
  {
    variants: ['http.long-headers'],
    calls: 'all',
    says: noAnswer,
    because: 'client: the fetch of Node reads 16 KiB of header lines, unless told otherwise',
    source: 'RFC 9110, 5.4: no limit is named; `undici`, `Client`: `maxHeaderSize`, 16 KiB',
  },
];

/** A call of each protocol, as the clients name it: with the protocol first, or of one protocol only. */
function ofProtocols(call: string): readonly string[] {
  return [
    call,
    ...['responses', 'chat', 'messages', 'generative'].map((name) => `${name} ${call}`),
  ];
}
