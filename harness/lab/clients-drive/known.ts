/** Calls that fail, and whose fault that is by the documents. */
export interface KnownBreak {
  /** The id of a variant begins with one of these. */
  readonly variants: readonly string[];
  /** The client's short name begins with this. Absent: all clients. */
  readonly client?: string;
  readonly because: string;
  readonly source: string;
}

const sse = 'HTML, server-sent events, 9.2.5 and 9.2.6';

export const knownBreaks: readonly KnownBreak[] = [
  {
    variants: ['asked.', 'input.'],
    because: 'nobody: what a model cannot do is refused, and the call needs it',
    source: 'specification, capabilities: what a model does not support cannot be served',
  },
  {
    variants: ['refusals.'],
    because: 'nobody: the call wants the usual status, the specification leaves it open',
    source: 'specification, errors: no status is written',
  },
  {
    variants: ['empty-text.'],
    because: 'nobody: the call wants a text, and a model may say nothing',
    source: 'specification: output is for the model to decide',
  },
  {
    variants: ['pace.'],
    because: 'nobody: the run had ended before it was cancelled',
    source: 'specification, cancellation of a background response that has ended',
  },
  {
    variants: ['framing.cr'],
    client: 'ai-sdk',
    because: 'client: a single CR ends a line, and its parser loses the last event',
    source: sse,
  },
  {
    variants: ['framing.'],
    client: 'langchain',
    because:
      'client: its Google client takes a stream apart with a regular expression, not a parser',
    source: sse,
  },
  {
    variants: ['responses-stream.unknown-events', 'messages-stream.unknown-events'],
    because: 'client: new types of events may come at any time',
    source: 'public pages on versions: "new event types may be added"',
  },
  {
    variants: ['messages.unknown-block-first'],
    because: 'client: it refuses a type of content that it does not know',
    source: 'public page on versions of Messages: new values may come',
  },
  {
    variants: ['messages.'],
    client: 'ai-sdk',
    because: 'nobody: a call that was cut at its limit is not performed',
    source: '`stop_reason` max_tokens',
  },
  {
    variants: ['members.more-everywhere'],
    client: 'openai-agents',
    because: 'client: it wants every member of the details of the usage to be a number',
    source: 'OpenAPI of the Responses API: further members are allowed',
  },
  {
    variants: ['responses.items-without-status'],
    client: 'ai-sdk',
    because: 'client: `status` of a call is no required member',
    source: 'OpenAPI of the Responses API, FunctionToolCall: required has no `status`',
  },
  {
    variants: ['responses-stream.second-message', 'responses-stream.reasoning-first'],
    because: 'nobody: the call reads one message, and the output has more than one item',
    source: 'Responses API, `output`: its length and order are for the model to decide',
  },
  {
    variants: ['generative.stop-without-parts'],
    because: 'nobody: the call wants a text, and a candidate may have no parts',
    source: 'generative-content API: `content.parts` is optional',
  },
  {
    variants: ['transport.one-chunk'],
    client: 'anthropic',
    because: 'client: aborted when all had come, `finalMessage()` comes to no end',
    source: '`@anthropic-ai/sdk`, `MessageStream.abort`',
  },
  {
    variants: ['models.last-page-empty-token'],
    client: 'google-genai',
    because: 'client: an empty token is none; it asks for the first page again, without end',
    source: 'JSON form of protocol buffers: a member with its default may be left out or written',
  },
  {
    variants: ['http.continue-unasked'],
    because: 'client: the fetch of Node fails on 100 (Continue) that it has not asked for',
    source: 'RFC 9110, 15.2: "A client MUST be able to parse one or more 1xx responses"',
  },
  {
    variants: ['http.long-headers'],
    because: 'client: the fetch of Node reads 16 KB of header lines, which can be set',
    source: 'RFC 9110, 5.4: no limit is named',
  },
];
