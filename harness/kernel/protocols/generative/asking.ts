import { at, isObject, listAt, numberAt, textAt } from '../../core/index.ts';
import { askedValues, image, SaidByNumber, type TokenLogprob } from '../asked.ts';
import type { AskingFacts } from '../module.ts';
import { input } from './client.ts';
import { textOfPart } from './content.ts';

export const asking: AskingFacts<'generative'> = {
  fields: {
    stop: () => ({ generationConfig: { stopSequences: askedValues.stopSequences } }),
    structured_output: () => ({
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: askedValues.schema,
      },
    }),
    logprobs: () => ({
      generationConfig: { responseLogprobs: true, logprobs: askedValues.likelyTokens },
    }),
    candidates: () => ({ generationConfig: { candidateCount: askedValues.candidates } }),
    images: (text) => ({
      [input]: [
        {
          role: 'user',
          parts: [{ text }, { inlineData: { mimeType: image.type, data: image.base64 } }],
        },
      ],
    }),
  },

  /** A body is a chunk that has everything. */
  said(_, values) {
    const candidates = new SaidByNumber();
    for (const candidate of values.flatMap((value) => listAt(value, 'candidates'))) {
      const said = candidates.at(numberAt(candidate, 'index') ?? 0);
      said.text += listAt(candidate, 'content.parts').map(textOfPart).join('');
      said.ending = textAt(candidate, 'finishReason') || said.ending;
      said.logprobs.push(...logprobsIn(at(candidate, 'logprobsResult')));
    }
    return candidates.all();
  },
};

/** Reads two parallel lists: the chosen tokens, and the likely ones at each position. */
function logprobsIn(result: unknown): TokenLogprob[] {
  const chosen = listAt(result, 'chosenCandidates');
  const top = listAt(result, 'topCandidates');
  return Array.from({ length: Math.max(chosen.length, top.length) }, (_, index) => ({
    token: textAt(chosen[index], 'token'),
    // Protobuf JSON may omit a logarithm of 0 (probability 1).
    logprob: isObject(chosen[index]) ? (numberAt(chosen[index], 'logProbability') ?? 0) : null,
    likely: isObject(top[index]) ? listAt(top[index], 'candidates').length : null,
  }));
}
