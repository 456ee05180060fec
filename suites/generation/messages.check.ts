import { check, everywhere, expect, scenario } from '../../harness/index.ts';
import { baseline, refusedCost, unstreamed } from '../scenarios/baselines.ts';
import { bodyDueAt, expectNewIds, expectOtherId, isOf } from '../scenarios/exchanges.ts';
import { truncated } from '../scenarios/generations/limits.ts';

everywhere(
  'generation/messages.shape',
  { least: baseline.messages, ...bodyDueAt('messages') },
  (exchange) => expect(exchange).toMatchSchema('messages/message'),
);

/** A message without `max_tokens`; also as a stream if the model streams. */
const withoutLimit = scenario(
  'generation/messages-without-limit',
  {
    after: { baseline: baseline.messages },
    cost: { ...refusedCost('messages', 2), chain: 1, outputTokens: null },
  },
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

check('generation/messages.max-tokens-required', withoutLimit, ({ control, attempts }) => {
  for (const attempt of attempts) expect(attempt).toBeRefused({ control });
});

everywhere(
  'generation/messages.id-unique',
  { least: { one: baseline.messages, other: truncated.messages }, which: isOf('messages') },
  (exchange, run) => expectNewIds(exchange, 'answers', run, true),
);

check('generation/messages.repeat-has-new-id', unstreamed.messages, ({ absent, off }) => {
  expectOtherId(off, absent);
});
