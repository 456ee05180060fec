import { check, ending, expect, expectValue, mustBeServed } from '../../harness/index.ts';
import { expectDocumentedEnd } from '../generation/streamed-ends.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { withoutLimit } from './without-limit.ts';

check('messages/create.shape', ordinary.messages, ({ ordinary }) => {
  expect(ordinary).toMatchSchema('messages/message');
});

const stopReasons = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

check('messages/create.stop-reason', ordinary.messages, ({ ordinary }) => {
  mustBeServed(ordinary);
  expectValue(ending(ordinary), { as: 'stop_reason', of: ordinary }).toBeOneOf(stopReasons);
});

check('messages/stream.stop-reason', ordinaryStream.messages, ({ streamed }) => {
  expectDocumentedEnd(streamed, 'stop_reason', stopReasons);
});

check('messages/create.max-tokens-required', withoutLimit, ({ control, attempts }) => {
  for (const attempt of attempts) expect(attempt).toBeRefused({ control });
});
