import { at, check, expect, expectValue, mustBeServed, outputItems } from '../../harness/index.ts';
import { expectDocumentedEnd } from '../generation/streamed-ends.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';

check('chat-completions/create.shape', ordinary['chat-completions'], ({ ordinary }) => {
  expect(ordinary).toMatchSchema('chat-completions/completion');
});

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

check('chat-completions/create.finish-reason', ordinary['chat-completions'], ({ ordinary }) => {
  mustBeServed(ordinary);
  for (const [index, choice] of outputItems(ordinary).entries()) {
    const as = `choices[${index}].finish_reason`;
    expectValue(at(choice, 'finish_reason'), { as, of: ordinary }).toBeOneOf(finishReasons);
  }
});

check('chat-completions/stream.finish-reason', ordinaryStream['chat-completions'], (captured) => {
  expectDocumentedEnd(captured.streamed, 'finish_reason', finishReasons);
});
