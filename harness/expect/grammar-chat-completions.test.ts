import { expect, test } from 'vitest';
import { judgeChatCompletions } from './grammar-chat-completions.ts';
import { brokenChatCompletions } from './samples/broken-chat-completions.ts';
import {
  all,
  assembled,
  brokenRules,
  doubled,
  goodStream,
  mutated,
  set,
  without,
} from './samples/streams.ts';
import { testGrammar } from './testing.ts';

testGrammar(
  'chat-completions',
  (stream, name) => judgeChatCompletions(stream, { includeUsage: name === 'usage' }),
  brokenChatCompletions,
  12,
);

test('the usage chunk is asked of a stream only when the request asked for it', () => {
  const stream = goodStream('chat-completions', 'text');
  expect(brokenRules(judgeChatCompletions(stream, { includeUsage: true }))).toEqual([
    'usage-chunk',
  ]);
});

test('where the text is known, the deltas must come to it', () => {
  const stream = goodStream('chat-completions', 'text');
  expect(judgeChatCompletions(stream, { text: 'Hello there' }).violations).toEqual([]);
  const other = judgeChatCompletions(stream, { text: 'Hello' });
  expect(brokenRules(other)).toEqual(['deltas-make-the-text']);
});

test('a stream that breaks off lacks its [DONE], and hides what else it lacks', () => {
  const stream = mutated('chat-completions', 'text', (events) => events.splice(3));
  const { violations, unjudged } = judgeChatCompletions(stream);
  expect(violations.map(({ rule }) => rule)).toEqual(['done-is-last']);
  expect([...unjudged.keys()]).toEqual(['one-finish', 'deltas-make-the-text', 'arguments-join']);
});

test('a chunk that only does not say which answer it belongs to hides nothing of what it says', () => {
  const nameless = mutated('chat-completions', 'text', (events) => {
    for (const index of [0, 1, 2, 3, 4]) without(index, 'created')(events);
  });
  const { violations, unjudged } = judgeChatCompletions(nameless);
  expect(violations.map(({ rule }) => rule)).toEqual(['chunk-shape']);
  expect([...unjudged.keys()]).toEqual([]);
  const late = mutated('chat-completions', 'text', all(without(0, 'created'), doubled(4)));
  expect(brokenRules(judgeChatCompletions(late))).toEqual(['chunk-shape', 'one-finish']);
});

test('two choices are told apart', () => {
  const both = mutated('chat-completions', 'text', (events) => {
    const second = structuredClone(events.slice(0, 5));
    for (const event of second) set(0, 'choices[0].index', 1)([event]);
    events.splice(5, 0, ...second);
  });
  expect(judgeChatCompletions(both).violations).toEqual([]);
  expect(judgeChatCompletions(both).text).toBe('Hello there');
});

test('facts', () => {
  expect(judgeChatCompletions(goodStream('chat-completions', 'tool-calls'))).toMatchObject({
    text: '',
    ending: 'tool_calls',
    id: 'chatcmpl_1',
    toolCalls: [
      { name: 'weather', id: 'call_1', arguments: '{"city":"Oslo"}' },
      { name: 'time', id: 'call_2', arguments: '{}' },
    ],
  });
  expect(judgeChatCompletions(goodStream('chat-completions', 'usage'))).toMatchObject({
    text: 'Hello there',
    usage: { total_tokens: 5 },
  });
  expect(brokenRules(judgeChatCompletions(assembled([])))).toEqual(['done-is-last']);
  const empty = mutated('chat-completions', 'text', (events) => events.splice(0, 5));
  expect(brokenRules(judgeChatCompletions(empty))).toEqual(['one-finish']);
});
