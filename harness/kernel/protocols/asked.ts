import { isObject, numberAt, textAt } from '../core/index.ts';

// Features that our requests ask for in addition to a text, the same over every protocol, and the evidence
// of them in answers.

/** Words of which each may be written in figures, too: a text that counts ends before the seventh. */
export const stopSequences = ['seven', 'Seven', '7'] as const;

/** A text that comes to one of them, as far as models can count. */
export const countingText =
  'Count from one to twenty in English words, one on each line, and write nothing else.';

/** The last word before a stop sequence. */
export const lastBeforeStop = /(six|6)\W*$/i;

/** Names that no text has by chance, and keywords that every document of structured output has. */
export const answerSchema = {
  type: 'object',
  properties: {
    favourite_colour: { type: 'string', enum: ['red', 'green', 'blue'] },
    lucky_number: { type: 'integer' },
  },
  required: ['favourite_colour', 'lucky_number'],
} as const;

/** Every source but that of generative-content wants it said that there is nothing else. */
export const closedAnswerSchema = { ...answerSchema, additionalProperties: false } as const;

export const answerText = 'Name a colour and a whole number, as JSON.';

/** Room for both texts, and for some thought before them. */
export const askedLimit = 256;

/** Number of likely tokens to ask for at each position. */
export const likelyTokens = 2;

/** Number of candidates to ask for. */
export const candidateCount = 2;

/** 256 × 256 red pixels. */
export const image = {
  type: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAAA1BMVEXIHijZMm0HAAAAH0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAvg0hAAABYOSdlwAAAABJRU5ErkJggg==',
} as const;

/** As Responses and Chat Completions take it. */
export const imageUrl = `data:${image.type};base64,${image.base64}`;

/** A choice or candidate of an answer, joined where it came in a stream. */
export interface Said {
  text: string;
  /** Texts of the messages or blocks that `text` joins, one by one. */
  readonly parts: readonly string[];
  /** Native reason of the ending, unchanged. */
  ending: string | null;
  /** The stop sequence that it says it came to; null where none is said. */
  stoppedAt: string | null;
  /** Log probabilities, one for each token; empty where none were told. */
  readonly logprobs: TokenLogprob[];
}

/** The log probability of a token; null for what is missing. */
export interface TokenLogprob {
  readonly token: string | null;
  readonly logprob: number | null;
  /** Number of likely tokens listed for this position; null if there is no list. */
  readonly likely: number | null;
}

/** The choices or candidates of an answer by their numbers, each made when it is first spoken of. */
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
