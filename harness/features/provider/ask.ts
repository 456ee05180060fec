import type { Fields } from '../../kernel/protocols/index.ts';

/** Parameters of a request that protocols name differently, or lack. */
export const params = [
  'stop',
  'temperature',
  'top-p',
  'top-k',
  'seed',
  'penalties',
  'user',
] as const;

type Param = (typeof params)[number];

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: Fields;
}

interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Text of a JSON object. */
  readonly args: string;
}

/** One turn of a conversation, in terms common to the protocols. */
export type Turn =
  | { readonly by: 'user' | 'model'; readonly text: string }
  | { readonly by: 'model'; readonly calls: readonly AskedCall[] }
  | {
      readonly by: 'results';
      readonly results: readonly { readonly id: string; readonly text: string }[];
    };

/** A choice of tools. An object names one. */
export type ToolChoice = 'auto' | 'none' | 'any' | { readonly name: string };

/** A request of a client, before it is written in a protocol. */
export interface Ask {
  readonly turns: readonly Turn[];
  readonly system?: string;
  readonly limit: number;
  readonly params?: Readonly<Partial<Record<Param, unknown>>>;
  readonly tools?: readonly Tool[];
  readonly choice?: ToolChoice;
}

/** A request as a provider reads it. */
export interface HeardRequest {
  readonly model: string | null;
  /** Texts outside of the turns of user and model. */
  readonly system: readonly string[];
  readonly turns: readonly HeardTurn[];
  readonly limit: number | null;
  readonly tools: readonly {
    readonly name: string | null;
    readonly description: string | null;
    readonly schema: unknown;
  }[];
  /** Undefined: the request names none. Null: it names one that the protocol does not have. */
  readonly choice: ToolChoice | null | undefined;
  readonly param: (name: Param) => unknown;
}

export interface HeardTurn {
  readonly by: 'user' | 'model' | 'results';
  readonly texts: readonly string[];
  readonly calls: readonly AskedCall[];
  readonly results: readonly { readonly id: string | null; readonly text: string }[];
}

/** Ends of an answer that both protocols have. */
export const ends = ['end', 'limit', 'calls', 'filter', 'stop-sequence'] as const;
type AnswerEnd = (typeof ends)[number];

interface Counts {
  /** All tokens of the prompt, including cached ones. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Answer of a provider. It is written as text, so that nothing rounds or reorders it on the way. */
export interface Say {
  readonly text: string;
  readonly calls?: readonly AskedCall[];
  readonly end: AnswerEnd | { readonly native: string };
  /** The stop sequence, where one ended the answer. */
  readonly stoppedAt?: string;
  readonly counts: Counts;
}

/** Values that a provider adds to what it says. */
export interface Saying {
  readonly id: string;
  readonly model: string;
}

/** One protocol, as its provider and its clients write and read it. */
export interface Played {
  /** Native names of the ends. */
  readonly ends: Readonly<Record<AnswerEnd, string>>;
  /** Members of parameters. Null: the protocol has none. */
  readonly members: Readonly<Record<Param, string | null>>;
  /** Members of a request, without its model. */
  request(ask: Ask): Fields;
  heard(body: unknown): HeardRequest;
  body(say: Say, saying: Saying): string;
  /**
   * Server-sent events, each with its blank line.
   *
   * @param asked the body of the request
   * @param size letters of a text in one event
   */
  events(say: Say, saying: Saying, asked: unknown, size?: number): readonly string[];
  error(status: number, message: string): string;
  errorEvent(message: string): string;
  /** An event that no reader knows, and that has to be skipped. */
  readonly unknownEvent: string;
  /** Reads the native usage of an answer. Null: it tells none. */
  counts(usage: unknown): Partial<Counts> & { readonly total: number | null };
}

/** Splits a text into pieces, also between the halves of no letter. */
export function pieces(text: string, size = 7): readonly string[] {
  const letters = [...text];
  const count = Math.ceil(letters.length / size);
  return Array.from({ length: count }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  );
}
