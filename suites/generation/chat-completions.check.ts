import { check, everywhere, expect, isRefused, NothingToJudge } from '../../harness/index.ts';
import { baseline, unstreamed } from '../scenarios/baselines.ts';
import { bodyDueAt, expectNewIds, expectOtherId, isOf } from '../scenarios/exchanges.ts';
import { systemPrompt } from '../scenarios/generations/conversations.ts';
import { truncated } from '../scenarios/generations/limits.ts';
import { expectLimitKept } from './output-limits.ts';
import { expectTotalAddsUp } from './usage-sums.ts';

everywhere(
  'generation/chat-completions.shape',
  { least: baseline['chat-completions'], ...bodyDueAt('chat-completions') },
  (exchange) => expect(exchange).toMatchSchema('chat-completions/completion'),
);

everywhere(
  'generation/chat-completions.full-shape',
  { least: baseline['chat-completions'], ...bodyDueAt('chat-completions') },
  (exchange) => expect(exchange).toMatchSchema('chat-completions/completion-full'),
);

everywhere(
  'generation/chat-completions.id-unique',
  {
    least: { one: baseline['chat-completions'], other: truncated['chat-completions'] },
    which: isOf('chat-completions'),
  },
  (exchange, run) => expectNewIds(exchange, 'answers', run, true),
);

check(
  'generation/chat-completions.repeat-has-new-id',
  unstreamed['chat-completions'],
  ({ absent, off }) => {
    expectOtherId(off, absent);
  },
);

check(
  'generation/chat-completions.older-limit-kept',
  systemPrompt['chat-completions'],
  ({ limited: answer, limit }) => {
    if (isRefused(answer)) throw new NothingToJudge('the older name of the limit is refused');
    expectLimitKept({ answer, limit }, 'chat-completions');
  },
);

check('generation/chat-completions.usage-adds-up', baseline['chat-completions'], ({ baseline }) => {
  expectTotalAddsUp(baseline, 'chat-completions');
});
