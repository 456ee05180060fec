import { type Ask, isObject, numberAt, textAt } from '../core/index.ts';

// Features that requests ask for in addition to a text, independent of the protocol, and their evidence in answers.

/** Values that requests ask for, the same over every protocol. */
export const askedValues = {
  /** Output limit with room for the text of every prompt and some reasoning before it. */
  limit: 256,
  candidates: 2,
  /** Number of likely tokens at each position. */
  likelyTokens: 2,
  /** The number in each form, so that a counting text ends before the seventh number. */
  stopSequences: ['seven', 'Seven', '7'],
  /** Names that no text has by chance, and keywords that every documentation of structured output has. */
  schema: {
    type: 'object',
    properties: {
      favourite_colour: { type: 'string', enum: ['red', 'green', 'blue'] },
      lucky_number: { type: 'integer' },
      subject: { type: 'string' },
    },
    required: ['favourite_colour', 'lucky_number', 'subject'],
  },
  /** Returns a prompt whose answer shows the features: a stop sequence, or an object by the schema with a word. */
  prompt: (asks: readonly Ask[], word = 'gateways'): string =>
    asks.includes('stop')
      ? 'Count from one to twenty in English words, one on each line, and write nothing else.'
      : `Give ${word} a colour and a whole number, as JSON with ${word} as the subject.`,
} as const;

/** Closed form of the schema, which all protocols except for generative-content require. */
export const closedAnswerSchema = { ...askedValues.schema, additionalProperties: false } as const;

/** 256 × 256 red pixels. */
export const image = {
  type: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAAA1BMVEXIHijZMm0HAAAAH0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAvg0hAAABYOSdlwAAAABJRU5ErkJggg==',
} as const;

/** Data URL, as Responses and Chat Completions take it. */
export const imageUrl = `data:${image.type};base64,${image.base64}`;

/** A choice or candidate of an answer. Fragments of a stream are joined. */
export interface Said {
  text: string;
  /** Texts of the messages or blocks, before they are joined in `text`. */
  readonly parts: readonly string[];
  /** Native finish reason, unchanged. */
  ending: string | null;
  /** The reported stop sequence. Null if none is reported. */
  stoppedAt: string | null;
  /** Log probabilities, one for each token. Empty if there are none. */
  readonly logprobs: TokenLogprob[];
}

/** The log probability of a token. Missing values are null. */
export interface TokenLogprob {
  readonly token: string | null;
  readonly logprob: number | null;
  /** Number of likely tokens listed for this position. Null if there is no list. */
  readonly likely: number | null;
}

/** The choices or candidates of an answer by number. Each is created at its first mention. */
export class SaidByNumber {
  readonly #said = new Map<number, Said>();

  at(number: number): Said {
    const said = this.#said.get(number) ?? nothingSaid();
    this.#said.set(number, said);
    return said;
  }

  all(): readonly Said[] {
    return [...this.#said.values()];
  }
}

export function nothingSaid(): Said {
  return { text: '', parts: [], ending: null, stoppedAt: null, logprobs: [] };
}

/** An entry of `logprobs` as Responses and Chat Completions write it. */
export function openaiLogprob(entry: unknown): TokenLogprob {
  const top = isObject(entry) ? entry.top_logprobs : undefined;
  return {
    token: textAt(entry, 'token'),
    logprob: numberAt(entry, 'logprob'),
    likely: Array.isArray(top) ? top.length : null,
  };
}
