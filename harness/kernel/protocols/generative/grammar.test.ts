import { describe, expect, test } from 'vitest';
import { brokenGenerative } from '../samples/broken-generative.ts';
import {
  type Assembled,
  added,
  all,
  assembled,
  brokenAt,
  brokenRules,
  dropped,
  type Edit,
  goodStream,
  moved,
  mutated,
  renamed,
  replaced,
  set,
  setAll,
  without,
} from '../samples/streams.ts';
import { testGrammar } from '../testing.ts';
import { judgeGenerative, rules } from './grammar.ts';

testGrammar('generative', (stream) => judgeGenerative(stream), brokenGenerative, rules);

test('where the text is known, the parts must come to it', () => {
  const stream = goodStream('generative', 'text');
  expect(judgeGenerative(stream, { text: 'Hello there.' }).violations).toEqual([]);
  expect(brokenRules(judgeGenerative(stream, { text: 'Hi' }))).toEqual(['deltas-join-to-text']);
});

test.each([
  ['text', setAll('candidates[0].content.parts', [{ text: '' }], () => true)],
  ['text', setAll('candidates[0].content.parts', [], () => true)],
  ['thoughts', set(1, 'candidates[0].content.parts[0].thought', true)],
] satisfies [string, Edit][])(
  'an answer without text tells nothing, unless it is known: %s',
  (name, edit) => {
    const stream = mutated('generative', name, edit);
    expect(brokenAt(judgeGenerative(stream, { text: 'Hello' }))).toEqual([
      `deltas-join-to-text at ${stream.events.length}`,
    ]);
    const { violations, unjudged } = judgeGenerative(stream);
    expect(violations).toEqual([]);
    expect([...unjudged.keys()]).toEqual(['deltas-join-to-text']);
  },
);

test('a model that says nothing, and is counted nothing, is no model that says the same', () => {
  const nothing = all(
    setAll('candidates[0].content', { role: 'model' }, () => true),
    setAll('usageMetadata', { promptTokenCount: 3, totalTokenCount: 3 }, () => true),
  );
  const findings = judgeGenerative(mutated('generative', 'text', nothing), { text: 'Hello' });
  expect(findings.violations).toEqual([]);
  expect([...findings.unjudged.keys()]).toEqual(['deltas-join-to-text']);
});

test('an empty stream has nothing to judge', () => {
  expect(judgeGenerative(assembled([]))).toMatchObject({ ownEvents: 0, violations: [] });
});

describe('what a defect hides', () => {
  const rules = ['deltas-join-to-text', 'finish-last', 'one-finish', 'usage-on-last'];

  function hidden(stream: string, edit: Edit, how: Assembled = {}) {
    const { violations, unjudged } = judgeGenerative(mutated('generative', stream, edit, how));
    const why = [...new Set(unjudged.values())];
    return { broken: violations.map(({ rule }) => rule), rules: [...unjudged.keys()].sort(), why };
  }

  test('the end of a stream that we cut', () => {
    expect(hidden('text', dropped(2), { cut: true, closed: false })).toEqual({
      broken: [],
      rules: [...rules, 'ends-with-blank-line'].sort(),
      why: ['the stream was interrupted'],
    });
  });

  test('the end of a stream that an error interrupted, but for its last line', () => {
    const why = ['the stream was interrupted'];
    const none: Edit = () => {};
    expect(hidden('error', none)).toEqual({ broken: [], rules, why });
    const unclosed = hidden('error', none, { closed: false });
    expect(unclosed).toEqual({ broken: ['ends-with-blank-line'], rules, why });
  });

  test('what a malformed chunk may have said', () => {
    const malformed = all(replaced(1, 'hello'), replaced(2, 'hello'));
    const why = ['event 1 is malformed'];
    expect(hidden('text', malformed)).toEqual({ broken: ['chunk-shape'], rules, why });
  });
});

describe('legal', () => {
  test('a chunk with a member that elsewhere tells of an error', () => {
    const { violations, unjudged } = judgeGenerative(
      mutated('generative', 'text', set(1, 'detail', 'Oh.')),
    );
    expect(violations).toEqual([]);
    expect([...unjudged]).toEqual([]);
  });

  test('two candidates, of which each has its own text and end', () => {
    const candidates = (...texts: string[]) =>
      texts.map((text, index) => ({ index, content: { role: 'model', parts: [{ text }] } }));
    const ended = candidates('Well, well.', '').map((one) => ({ ...one, finishReason: 'STOP' }));
    const both = assembled([
      { name: undefined, body: { candidates: candidates('Well', 'Well, ') } },
      { name: undefined, body: { candidates: ended, usageMetadata: { totalTokenCount: 5 } } },
    ]);
    expect(judgeGenerative(both, { text: 'WellWell, well.' }).violations).toEqual([]);
  });

  test('thoughts, whatever they repeat: they are no part of the text', () => {
    const thought = (text: string) => ({
      candidates: [{ content: { role: 'model', parts: [{ text, thought: true }] } }],
    });
    const again = all(replaced(0, thought('Hel')), added(thought('Hello'), 1));
    expect(judgeGenerative(mutated('generative', 'thoughts', again)).violations).toEqual([]);
  });
});

test.each([
  ['finish-last at 2', without(2, 'candidates[0].finishReason')],
  ['finish-last at 2', moved(2, 0, 1)],
  ['one-finish at 0', set(0, 'candidates[0].finishReason', 'STOP')],
  ['usage-on-last at 2', without(2, 'usageMetadata')],
] satisfies [string, Edit][])('%s', (where, edit) => {
  expect(brokenAt(judgeGenerative(mutated('generative', 'text', edit)))).toEqual([where]);
});

test('what lacks a blank line is the last event', () => {
  expect(brokenAt(judgeGenerative({ ...goodStream('generative', 'text'), closed: false }))).toEqual(
    ['ends-with-blank-line at 2'],
  );
});

test.each([
  [renamed(1, 'chunk'), 'event: chunk'],
  [(events) => Object.assign(events[1] ?? {}, { hasId: true }), 'an id: line'],
  [without(2, 'candidates[0].finishReason'), 'none'],
  [moved(2, 0, 1), 'STOP in event 1 already'],
] satisfies [Edit, string][])('in words: %#', (edit, actual) => {
  const [violation] = judgeGenerative(mutated('generative', 'text', edit)).violations;
  expect(violation?.actual).toBe(actual);
});
