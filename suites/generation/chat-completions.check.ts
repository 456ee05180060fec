import {
  assumeServed,
  at,
  check,
  everywhere,
  expect,
  expectValue,
  outputItems,
} from '../../harness/index.ts';
import { expectOtherId } from '../scenarios/assumptions.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { bodyAt } from '../scenarios/exchanges.ts';
import { conversations } from '../scenarios/generations/conversations.ts';
import { truncated } from '../scenarios/generations/truncated.ts';
import { unstreamed } from '../scenarios/requests/unstreamed.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';
import { expectDocumentedEnd } from './streamed-ends.ts';
import { expectTotalAddsUp } from './usage-sums.ts';

everywhere(
  'generation/chat-completions.shape',
  { least: baseline['chat-completions'], which: bodyAt('chat-completions') },
  (exchange) => expect(exchange).toMatchSchema('chat-completions/completion'),
);

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

check('generation/chat-completions.finish-reason', baseline['chat-completions'], ({ baseline }) => {
  assumeServed(baseline);
  for (const [index, choice] of outputItems(baseline).entries()) {
    const as = `choices[${index}].finish_reason`;
    expectValue(at(choice, 'finish_reason'), { as, of: baseline }).toBeOneOf(finishReasons);
  }
});

check(
  'generation/chat-completions-stream.finish-reason',
  baselineStream['chat-completions'],
  (captured) => {
    expectDocumentedEnd(captured.streamed, 'finish_reason', finishReasons);
  },
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
  conversations['chat-completions'],
  ({ control, noTurn }) => {
    expect(noTurn).toBeRefused({ control });
  },
);

check(
  'generation/chat-completions.id-unique',
  { one: baseline['chat-completions'], other: truncated['chat-completions'] },
  ({ one, other }) => expectOtherId(other.answer, one.baseline),
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
  'generation/chat-completions.truncated-is-length',
  truncated['chat-completions'],
  (truncated) => {
    expectTruncationReported(truncated, 'chat-completions');
  },
);

check('generation/chat-completions.usage-adds-up', baseline['chat-completions'], ({ baseline }) => {
  expectTotalAddsUp(baseline, 'chat-completions');
});
