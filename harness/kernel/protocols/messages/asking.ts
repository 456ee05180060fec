import { at, textAt } from '../../core/index.ts';
import { askedValues, closedAnswerSchema, image, nothingSaid } from '../asked.ts';
import type { AskingFacts } from '../module.ts';
import { input, userTurn } from './client.ts';

export const asking: AskingFacts<'messages'> = {
  fields: {
    stop: () => ({ stop_sequences: askedValues.stopSequences }),
    structured_output: () => ({
      output_config: { format: { type: 'json_schema', schema: closedAnswerSchema } },
    }),
    logprobs: null,
    candidates: null,
    images: (text) => ({
      [input]: userTurn([
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: image.type, data: image.base64 } },
      ]),
    }),
  },

  said({ text, ending, items }, values) {
    const stops = values.map(
      (value) => textAt(value, 'stop_sequence') ?? textAt(value, 'delta.stop_sequence'),
    );
    return [
      {
        ...nothingSaid(),
        text,
        parts: items.map(textOfBlock),
        ending,
        stoppedAt: stops.find((one) => one !== null) ?? null,
      },
    ];
  },
};

function textOfBlock(block: unknown): string {
  return at(block, 'type') === 'text' ? (textAt(block, 'text') ?? '') : '';
}
