import type { Exchange, Fields, Io, StreamingProtocol } from '../../../harness/index.ts';

/** A generation over one protocol, in one body or as a stream: the same call in four languages. */
export interface Generation {
  create(io: Io, body: Fields): Promise<Exchange>;
  stream(io: Io, body: Fields): Promise<Exchange>;
  /** Members of a body: one user turn, and an output limit. */
  asking(input: string, limit: number): Fields;
}

export const generation: Readonly<Record<StreamingProtocol, Generation>> = {
  responses: {
    create: ({ responses }, body) => responses.create(body),
    stream: ({ responses }, body) => responses.stream(body),
    asking: (input, limit) => ({ input, max_output_tokens: limit }),
  },
  'chat-completions': {
    create: ({ chatCompletions }, body) => chatCompletions.create(body),
    stream: ({ chatCompletions }, body) => chatCompletions.stream(body),
    asking: (input, limit) => ({ messages: userTurn(input), max_completion_tokens: limit }),
  },
  messages: {
    create: ({ messages }, body) => messages.create(body),
    stream: ({ messages }, body) => messages.stream(body),
    asking: (input, limit) => ({ messages: userTurn(input), max_tokens: limit }),
  },
  generative: {
    create: ({ generative }, body) => generative.generate(body),
    stream: ({ generative }, body) => generative.stream(body),
    asking: (input, limit) => ({
      contents: [{ role: 'user', parts: [{ text: input }] }],
      generationConfig: { maxOutputTokens: limit },
    }),
  },
};

function userTurn(content: string): readonly Fields[] {
  return [{ role: 'user', content }];
}
