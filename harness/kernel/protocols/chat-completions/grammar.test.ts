import { expect, test } from 'vitest';
import { brokenChatCompletions } from '../samples/broken-chat-completions.ts';
import {
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
  set,
  without,
} from '../samples/streams.ts';
import { testGrammar } from '../testing.ts';
import { judgeChatCompletions, rules } from './grammar.ts';

testGrammar(
  'chat-completions',
  (stream, name) => judgeChatCompletions(stream, { includeUsage: name === 'usage' }),
  brokenChatCompletions,
  rules,
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
  expect(brokenRules(other)).toEqual(['deltas-join-to-text']);
});

test('an answer without text tells nothing, unless the text is known', () => {
  const silent = mutated('chat-completions', 'text', all(dropped(1), dropped(2)));
  const { violations, unjudged } = judgeChatCompletions(silent);
  expect(violations).toEqual([]);
  expect([...unjudged.keys()]).toEqual(['deltas-join-to-text']);
  const known = judgeChatCompletions(silent, { text: 'Hello there' });
  expect(brokenRules(known)).toEqual(['deltas-join-to-text']);
  expect(judgeChatCompletions(silent, { text: '' }).violations).toEqual([]);
});

test('two choices are kept separate', () => {
  const both = mutated('chat-completions', 'text', (events) => {
    const second = structuredClone(events.slice(0, 5));
    for (const event of second) set(0, 'choices[0].index', 1)([event]);
    events.splice(5, 0, ...second);
  });
  expect(judgeChatCompletions(both).violations).toEqual([]);
});

test('each choice goes on with its own text', () => {
  const content = (index: number, content: string) => ({
    index,
    delta: { role: 'assistant', content },
    finish_reason: null,
  });
  const both = mutated('chat-completions', 'text', (events) => {
    set(1, 'choices', [content(0, 'Well'), content(1, 'Well, ')])(events);
    set(3, 'choices', [content(0, 'Well, well.'), content(1, '')])(events);
    set(4, 'choices[1]', { index: 1, delta: {}, finish_reason: 'length' })(events);
  });
  expect(judgeChatCompletions(both, { text: 'WellWell, well.' }).violations).toEqual([]);
});

const finish = 'choices[0].finish_reason';
const call = 'choices[0].delta.tool_calls[0].function.arguments';

test.each([
  ['a call without arguments', all(dropped(2), dropped(2))],
  ['a call whose arguments begin later', without(1, call)],
  ['a call that the limit cut short', all(dropped(3), set(4, finish, 'length'))],
  ['a call that a filter cut short', all(dropped(3), set(4, finish, 'content_filter'))],
] satisfies [string, Edit][])('legal: %s', (_, edit) => {
  const { violations } = judgeChatCompletions(mutated('chat-completions', 'tool-calls', edit));
  expect(violations).toEqual([]);
});

test.each([
  ['text', 'done-is-last at 6', doubled('[DONE]')],
  ['text', 'done-is-last at 5', dropped('[DONE]')],
  ['text', 'one-finish at 4', dropped(4)],
  ['text', 'one-finish at 4', all(dropped(4), doubled('[DONE]'))],
  ['text', 'one-finish at 5', doubled(4)],
  ['text', 'nothing-after-finish at 4', moved(4, 0, 3)],
  ['usage', 'usage-chunk at 5', dropped(5)],
  ['usage', 'usage-chunk at 6', doubled(5)],
] satisfies [string, string, Edit][])('%s: %s', (name, where, edit) => {
  const stream = mutated('chat-completions', name, edit);
  const found = brokenAt(judgeChatCompletions(stream, { includeUsage: name === 'usage' }));
  expect(found).toContain(where);
});

test('in words', () => {
  const first = (edit: Edit) =>
    judgeChatCompletions(mutated('chat-completions', 'text', edit)).violations[0]?.actual;
  expect(first(doubled('[DONE]'))).toBe('a second [DONE]');
  expect(first(moved('[DONE]', 0, 4))).toBe('an event after [DONE]');
  expect(first(moved(4, 0, 3))).toBe('{"content":" there"}');
});

test('facts', () => {
  const none = judgeChatCompletions(assembled([]));
  expect(brokenRules(none)).toEqual(['done-is-last']);
  expect(none.ownEvents).toBe(0);
  expect(judgeChatCompletions(goodStream('chat-completions', 'error')).ownEvents).toBe(5);
  const empty = mutated('chat-completions', 'text', (events) => events.splice(0, 5));
  expect(brokenRules(judgeChatCompletions(empty))).toEqual(['one-finish']);
});
