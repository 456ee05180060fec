import { listAt } from '../../core/index.ts';
import { askedValues, closedAnswerSchema, imageUrl, nothingSaid, openaiLogprob } from '../asked.ts';
import type { AskingFacts } from '../module.ts';
import { input } from './client.ts';
import { textOfItem } from './content.ts';

export const asking: AskingFacts<'responses'> = {
  fields: {
    stop: null,
    structured_output: () => ({
      text: {
        format: { type: 'json_schema', name: 'answer', schema: closedAnswerSchema, strict: true },
      },
    }),
    logprobs: () => ({
      include: ['message.output_text.logprobs'],
      top_logprobs: askedValues.likelyTokens,
    }),
    candidates: null,
    images: (text) => ({
      [input]: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text },
            { type: 'input_image', image_url: imageUrl, detail: 'auto' },
          ],
        },
      ],
    }),
  },

  said({ text, ending, items }) {
    const parts = items.flatMap((item) => listAt(item, 'content'));
    const logprobs = parts.flatMap((part) => listAt(part, 'logprobs')).map(openaiLogprob);
    return [{ ...nothingSaid(), text, parts: items.map(textOfItem), ending, logprobs }];
  },
};
