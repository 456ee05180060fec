import { expect, test } from 'vitest';
import { judgeGenerative } from './grammar-generative.ts';
import { brokenGenerative } from './samples/broken-generative.ts';
import { assembled, brokenRules, dropped, goodStream, mutated } from './samples/streams.ts';
import { testGrammar } from './testing.ts';

testGrammar('generative', (stream) => judgeGenerative(stream), brokenGenerative, 11);

test('where the text is known, the parts must come to it', () => {
  const stream = goodStream('generative', 'text');
  expect(judgeGenerative(stream, { text: 'Hello there.' }).violations).toEqual([]);
  expect(brokenRules(judgeGenerative(stream, { text: 'Hi' }))).toEqual(['deltas-make-the-text']);
});

test('a stream that we cut has no end to judge', () => {
  const cut = mutated('generative', 'text', dropped(2), { cut: true, closed: false });
  const { violations, unjudged } = judgeGenerative(cut);
  expect(violations).toEqual([]);
  expect([...unjudged.keys()]).toContain('finish-last');
  expect([...unjudged.keys()]).toContain('ends-with-blank-line');
});

test('an empty stream has no finish', () => {
  expect(judgeGenerative(assembled([])).ownEvents).toBe(0);
});

test('facts', () => {
  expect(judgeGenerative(goodStream('generative', 'text'))).toMatchObject({
    text: 'Hello there.',
    ending: 'STOP',
    id: 'r_1',
    usage: { totalTokenCount: 6 },
  });
  expect(judgeGenerative(goodStream('generative', 'function-call'))).toMatchObject({
    toolCalls: [{ name: 'weather', id: null, arguments: '{"city":"Oslo"}' }],
  });
  expect(judgeGenerative(goodStream('generative', 'thoughts')).text).toBe('Hello there');
});
