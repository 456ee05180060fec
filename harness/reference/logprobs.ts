import type { JsonObject } from './json.ts';
import { words } from './words.ts';

interface Likely {
  readonly token: string;
  readonly logprob: number;
}

interface TokenLogprob extends Likely {
  readonly top: readonly Likely[];
}

/** Returns the log probabilities. The written token is always the likeliest one. */
export function logprobsOf(pieces: readonly string[], top: number): readonly TokenLogprob[] {
  return pieces.map((token) => {
    const own = { token, logprob: -0.125 };
    const others = words
      .filter((word) => word !== token)
      .slice(0, Math.max(0, top - 1))
      .map((word, index) => ({ token: word, logprob: -3 - index / 4 }));
    return { ...own, top: top === 0 ? [] : [own, ...others] };
  });
}

/** Returns them in the form of Responses and Chat Completions. */
export function openaiLogprobs(pieces: readonly string[], top: number | null): JsonObject[] {
  if (top === null) return [];
  const told = ({ token, logprob }: Likely): JsonObject => ({
    token,
    logprob,
    bytes: [...Buffer.from(token)],
  });
  return logprobsOf(pieces, top).map((one) => ({ ...told(one), top_logprobs: one.top.map(told) }));
}
