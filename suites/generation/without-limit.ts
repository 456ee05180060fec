import { scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';

/** A message without `max_tokens`; as a stream, too, where the model streams. */
export const withoutLimit = scenario(
  'messages/without-limit',
  { after: { baseline: baseline.messages }, cost: { requests: 2, generations: 0, chain: 1 } },
  async ({ messages, model }, { baseline: { baseline: control } }) => {
    const body = { max_tokens: undefined };
    const streams = model.supports.includes('stream:messages');
    const attempts = await Promise.all([
      messages.create(body),
      ...(streams ? [messages.stream(body)] : []),
    ]);
    return { control, attempts };
  },
);
