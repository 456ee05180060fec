import { expect, test } from 'vitest';
import { brokenMessages } from '../samples/broken-messages.ts';
import { blockDelta, blockStart, reason } from '../samples/message-events.ts';
import {
  added,
  all,
  assembled,
  brokenAt,
  brokenRules,
  doubled,
  dropped,
  type Edit,
  goodStream,
  moved,
  mutated,
  renamed,
  replaced,
  set,
  without,
} from '../samples/streams.ts';
import { testGrammar } from '../testing.ts';
import { messagesContent } from './content.ts';
import { judgeMessages, rules } from './grammar.ts';

testGrammar('messages', (stream) => judgeMessages(stream), brokenMessages, rules);

test('where the text is known, the deltas must come to it', () => {
  const stream = goodStream('messages', 'text');
  expect(judgeMessages(stream, { text: 'Hello there' }).violations).toEqual([]);
  expect(brokenRules(judgeMessages(stream, { text: 'Hello' }))).toEqual(['deltas-join-to-text']);
});

test('an answer without text tells nothing, unless the text is known', () => {
  const silent = mutated('messages', 'text', all(dropped(2), dropped(3)));
  const { violations, unjudged } = judgeMessages(silent);
  expect(violations).toEqual([]);
  expect([...unjudged.keys()]).toEqual(['deltas-join-to-text']);
  const known = judgeMessages(silent, { text: 'Hello there' });
  expect(brokenAt(known)).toEqual(['deltas-join-to-text at 5']);
  expect(judgeMessages(silent, { text: '' }).violations).toEqual([]);
});

test.each([
  ['counts on the way', 'text', added({ type: reason, delta: {}, usage: {} }, 3)],
  ['no reason yet', 'text', added({ type: reason, delta: { stop_reason: null } }, 3)],
  [
    'a full context',
    'max-tokens',
    set(reason, 'delta.stop_reason', 'model_context_window_exceeded'),
  ],
  ['a refusal in a call', 'max-tokens', set(reason, 'delta.stop_reason', 'refusal')],
  ['text in the start', 'text', all(set(blockStart, 'content_block.text', 'Hello'), dropped(2))],
  ['text in an unknown block', 'novel-block', set(blockStart, 'content_block.text', 'Oh')],
  ['text in an unknown delta', 'novel-block', set(blockDelta, 'delta.text', 'Oh')],
  ['a block with an odd name', 'text', set(blockStart, 'content_block.type', 'constructor')],
] satisfies [string, string, Edit][])('legal: %s', (_, name, edit) => {
  const { text } = messagesContent.fromEvents(goodStream('messages', name));
  expect(judgeMessages(mutated('messages', name, edit), { text }).violations).toEqual([]);
});

test.each([
  ['message-start-once-first at 0', dropped('message_start')],
  ['message-start-once-first at 1', all(dropped('message_start'), added({ type: 'ping' }, 0))],
  ['message-start-once-first at 1', doubled('message_start')],
  ['blocks-open-and-close at 6', dropped('content_block_stop')],
  ['stop-reason-before-stop at 6', dropped(reason)],
  ['stop-reason-before-stop at 6', moved(reason, 0, 'content_block_stop')],
  ['usage-present at 6', without(reason, 'usage')],
  ['message-stop-last at 7', dropped('message_stop')],
] satisfies [string, Edit][])('%s', (where, edit) => {
  expect(brokenAt(judgeMessages(mutated('messages', 'text', edit)))).toEqual([where]);
});

test.each([
  [renamed(2, undefined), 'event: content_block_delta', 'no event: line'],
  [renamed(2, 'delta'), 'event: content_block_delta', 'event: delta'],
  [replaced(2, 'hello'), 'a JSON object with a string type', 'hello'],
  [
    set(0, 'message.stop_reason', 'end_turn'),
    'content [] and stop_reason null in message_start',
    '{"content":[],"stop_reason":"end_turn"}',
  ],
] satisfies [Edit, string, string][])('in words: %#', (edit, expected, actual) => {
  const [violation] = judgeMessages(mutated('messages', 'text', edit)).violations;
  expect(violation).toMatchObject({ expected, actual });
});

test('a stream that is interrupted lacks its message_stop, and hides what else it lacks', () => {
  const { violations, unjudged } = judgeMessages(
    mutated('messages', 'text', (events) => events.splice(4)),
  );
  expect(violations.map(({ rule }) => rule)).toEqual(['message-stop-last']);
  expect([...unjudged.keys()].sort()).toEqual([
    'arguments-join',
    'blocks-open-and-close',
    'deltas-join-to-text',
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
