import { listAt, numberAt, textAt } from '../../core/index.ts';
import {
  askedValues,
  closedAnswerSchema,
  imageUrl,
  openaiLogprob,
  SaidByNumber,
} from '../asked.ts';
import type { AskingFacts } from '../module.ts';
import { input, userTurn } from './client.ts';

export const asking: AskingFacts<'chat-completions'> = {
  fields: {
    stop: () => ({ stop: askedValues.stopSequences }),
    structured_output: () => ({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: closedAnswerSchema, strict: true },
      },
    }),
    logprobs: () => ({ logprobs: true, top_logprobs: askedValues.likelyTokens }),
    candidates: () => ({ n: askedValues.candidates }),
    images: (text) => ({
      [input]: userTurn([
        { type: 'text', text },
        { type: 'image_url', image_url: { url: imageUrl } },
      ]),
    }),
  },

  /** A body has messages, chunks have deltas. */
  said(_, values) {
    const choices = new SaidByNumber();
    for (const choice of values.flatMap((value) => listAt(value, 'choices'))) {
      const said = choices.at(numberAt(choice, 'index') ?? 0);
      said.text += textAt(choice, 'message.content') ?? textAt(choice, 'delta.content') ?? '';
      said.ending ??= textAt(choice, 'finish_reason');
      said.logprobs.push(...listAt(choice, 'logprobs.content').map(openaiLogprob));
    }
    return choices.all();
  },
};
