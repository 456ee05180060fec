import {
  assumeServed,
  check,
  everywhere,
  expect,
  isRefused,
  NothingToJudge,
} from '../../harness/index.ts';
import { expectOtherId } from '../scenarios/assumptions.ts';
import { baseline } from '../scenarios/baselines.ts';
import { expectNewIds, isOf } from '../scenarios/created-answers.ts';
import { bodyDueAt } from '../scenarios/exchanges.ts';
import { conversations } from '../scenarios/generations/conversations.ts';
import { systemPrompt } from '../scenarios/generations/system-prompts.ts';
import { truncated } from '../scenarios/generations/truncated.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { unstreamed } from '../scenarios/requests/unstreamed.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';
import { expectTotalAddsUp } from './usage-sums.ts';

everywhere(
  'generation/chat-completions.shape',
  { least: baseline['chat-completions'], ...bodyDueAt('chat-completions') },
  (exchange) => expect(exchange).toMatchSchema('chat-completions/completion'),
);

check(
  'generation/chat-completions.conversation-served',
  conversations['chat-completions'],
  ({ control, severalTurns }) => {
    assumeServed(control);
    expect(severalTurns).toBeServed();
  },
);

check(
  'generation/chat-completions.messages-required',
  badBodies['chat-completions'],
  ({ control, without }) => {
    for (const one of without) expect(one).toBeRefused({ control });
  },
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

check('generation/chat-completions.output-limit', truncated['chat-completions'], (truncated) => {
  expectLimitKept(truncated, 'chat-completions');
});

check(
  'generation/chat-completions.older-limit-kept',
  systemPrompt['chat-completions'],
  ({ limited: answer, limit }) => {
    if (isRefused(answer)) throw new NothingToJudge('the older name of the limit is refused');
    expectLimitKept({ answer, limit }, 'chat-completions');
  },
);

check(
  'generation/chat-completions.truncated-is-length',
  truncated['chat-completions'],
  (truncated) => {
    expectTruncationReported(truncated, 'chat-completions');
  },
);

check('generation/chat-completions.usage-adds-up', baseline['chat-completions'], ({ baseline }) => {
  expectTotalAddsUp(baseline, 'chat-completions');
});
