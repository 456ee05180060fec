import { expect, test } from 'vitest';
import { judgeMessages } from './grammar-messages.ts';
import { brokenMessages } from './samples/broken-messages.ts';
import { assembled, brokenRules, dropped, goodStream, mutated } from './samples/streams.ts';
import { testGrammar } from './testing.ts';

testGrammar('messages', (stream) => judgeMessages(stream), brokenMessages, 13);

test('where the text is known, the deltas must come to it', () => {
  const stream = goodStream('messages', 'text');
  expect(judgeMessages(stream, { text: 'Hello there' }).violations).toEqual([]);
  expect(brokenRules(judgeMessages(stream, { text: 'Hello' }))).toEqual(['deltas-make-the-text']);
});

test('a stream that breaks off lacks its message_stop, and hides what else it lacks', () => {
  const { violations, unjudged } = judgeMessages(
    mutated('messages', 'text', (events) => events.splice(4)),
  );
  expect(violations.map(({ rule }) => rule)).toEqual(['message-stop-last']);
  expect([...unjudged.keys()].sort()).toEqual([
    'arguments-join',
    'blocks-open-and-close',
    'deltas-make-the-text',
    'stop-reason-before-stop',
    'usage-present',
  ]);
  const cut = mutated('messages', 'text', (events) => events.splice(4), { cut: true });
  expect(judgeMessages(cut).violations).toEqual([]);
});

test('an empty stream is none', () => {
  expect(brokenRules(judgeMessages(assembled([])))).toEqual([
    'message-start-once-first',
    'message-stop-last',
  ]);
});

test('facts', () => {
  expect(judgeMessages(goodStream('messages', 'tool-use'))).toMatchObject({
    text: 'Let me see.',
    ending: 'tool_use',
    id: 'msg_1',
    usage: { input_tokens: 3, output_tokens: 2 },
    toolCalls: [
      { name: 'weather', id: 'toolu_1', arguments: '{"city":"Oslo"}' },
      { name: 'weather', id: 'toolu_2', arguments: '{}' },
    ],
  });
  const lost = mutated('messages', 'text', dropped('message_delta'));
  expect(judgeMessages(lost).ending).toBeNull();
});
