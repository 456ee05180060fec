/** Behaviour of the gateway in one start of the client. Other requests are served as usual. */
export interface Script {
  /** Answer to one generation. The next one is served: a client that retries has shown enough. */
  readonly answer?: ScriptedAnswer;
  /** Number of generations that are served before. Default: 0. */
  readonly skips?: number;
  /** Form in which the events of a stream are written. */
  readonly framing?: Framing;
  /** The id of the model, and those of responses, have characters that have to be encoded in a path. */
  readonly odd?: true;
  /** Answers to lookups of a response, in order; the last one is repeated. */
  readonly lookups?: readonly ScriptedLookup[];
  /** Answer to the first attempt to resume a broken stream. */
  readonly recovery?: ScriptedAnswer;
  /** Content of an answer besides its text. */
  readonly beside?: Beside;
  /** The answer ends in the middle of its text, at the output limit. */
  readonly truncated?: true;
}

const besideWords = {
  /** Items, blocks, parts or chunks, before and behind the text. */
  unknown: 'content of a type that nobody knows',
  /** Before the text, as the protocol shows them. */
  thoughts: 'thoughts of the model',
  /** Before the text, in the native form. */
  calls: 'a call of a function',
  /** Before and behind the text. Only Responses and Chat Completions. */
  refusals: 'refusals of the model',
} as const;

type Beside = keyof typeof besideWords;

export type ScriptedLookup =
  | { readonly state: string }
  | Exclude<ScriptedAnswer, { readonly events: number } | { readonly kind: 'refused' }>;

/** Answers without further options, in words that follow "the gateway". */
const answerWords = {
  reset: 'resets the connection once it has the request',
  /** Closes the connection after a while. */
  'no-answer': 'takes the request and does not answer',
  /** Not for streams. */
  'cut-body': 'cuts the connection in the middle of the body',
  /** As it opens, before anything can be sent over it. */
  refused: 'refuses the first connection',
} as const;

/** Answers that differ after a number of events, N. Only streams. */
const streamWords = {
  'cut-stream': 'cuts the connection after N events of the stream',
  /** Closes the connection after a while. */
  stall: 'sends N events of the stream, and then nothing',
  'ends-early': 'ends the stream after N events, without its last one',
  /** The native error event. */
  'error-in-stream': 'sends N events of the stream, and then an error',
  /** Only Responses. */
  'failed-in-stream': 'sends N events of the stream, and then that the response failed',
  /** Only over a WebSocket. */
  'hang-up': 'cuts the connection behind the first turn that it serves whole',
} as const;

type OneOf<Kind extends string> = Kind extends string ? { readonly kind: Kind } : never;

type EndedStream = OneOf<keyof typeof streamWords> & { readonly events: number };

export type ScriptedAnswer =
  | OneOf<keyof typeof answerWords>
  | EndedStream
  /** An error in the native form, or a page of a proxy. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly html?: true;
      /** Every such request is answered like this, not only the first. */
      readonly always?: true;
    }
  /** Redirects to another host, which records the requests that it gets. */
  | { readonly kind: 'redirect'; readonly status: 302 | 307 | 308 };

/** The region of the other host that a redirect leads to. */
export const otherHost = 'elsewhere';

/** Legal ways to write the same stream. */
const framingWords = {
  whole: 'sends the stream in one write',
  bytes: 'sends the stream byte by byte',
  joined: 'sends the end of each event with the beginning of the next',
  crlf: 'ends the lines of the stream with CR LF',
  comments: 'sends comments between the events',
  unknown: 'sends events and members that nobody knows besides those that count',
  lookalike:
    'sends events and members besides those that count that look like those of another protocol',
} as const;

export type Framing = keyof typeof framingWords;

/** Returns the behaviour of the gateway in words that follow "the gateway". */
export function scriptInWords(script: Script): string {
  const parts = [
    ...(script.answer === undefined ? [] : [answerInWords(script.answer)]),
    ...(script.skips === undefined ? [] : ['does so behind an answer that it serves']),
    ...[script.recovery ?? [], script.lookups ?? []]
      .flat()
      .flatMap((one) => ('kind' in one ? [`${answerInWords(one)} where it is looked up`] : [])),
    ...(script.framing === undefined ? [] : [framingWords[script.framing]]),
    ...(script.odd === true ? ['serves ids that have to be encoded in a path'] : []),
    ...(script.beside === undefined ? [] : [`puts ${besideWords[script.beside]} beside the text`]),
    ...(script.truncated === true ? ['ends the answer at its output limit'] : []),
  ];
  return parts.length === 0 ? 'serves everything' : parts.join(', and ');
}

function answerInWords(answer: ScriptedAnswer): string {
  if (answer.kind === 'redirect') return `redirects to another host with ${answer.status}`;
  if ('events' in answer) return streamWords[answer.kind].replace('N', `${answer.events}`);
  if (answer.kind !== 'status') return answerWords[answer.kind];
  const { status, retryAfter, html } = answer;
  const page = html === true ? ' with a page in HTML' : '';
  const after = retryAfter === undefined ? '' : `, and \`Retry-After: ${retryAfter}\``;
  return `answers ${status}${page}${after}`;
}
