import { assumeServed, at, check, expect, expectValue, outputItems } from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { expectDocumentedEnd } from './streamed-ends.ts';

check('generation/chat-completions.shape', baseline['chat-completions'], ({ baseline }) => {
  expect(baseline).toMatchSchema('chat-completions/completion');
});

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
