import { describe, expect, test } from 'vitest';
import {
  type Assembled,
  added,
  all,
  assembled,
  doubled,
  type Edit,
  moved,
  mutated,
  replaced,
  set,
  without,
} from '../samples/streams.ts';
import { judgeChatCompletions } from './grammar.ts';

/** Tests that a defect suppresses the rules that it makes undecidable, and no others. */

function judged(stream: string, edit: Edit, { includeUsage = false, cut = false } = {}) {
  const how: Assembled = { cut };
  const options = { includeUsage, text: 'Hello there' };
  const found = judgeChatCompletions(mutated('chat-completions', stream, edit, how), options);
  return {
    broken: found.violations.map(({ rule }) => rule),
    hidden: [...found.unjudged.keys()].sort(),
    why: [...new Set(found.unjudged.values())],
  };
}

const none: Edit = () => {};
const first =
  (length: number): Edit =>
  (events) =>
    events.splice(length);
const answer = ['arguments-join', 'deltas-join-to-text', 'one-finish'];

describe('a malformed chunk', () => {
  const hidden = [...answer, 'nothing-after-finish', 'usage-chunk'].sort();

  test('hides what it may have said', () => {
    const why = ['event 1 is malformed'];
    const two = all(replaced(1, 'Hello'), replaced(2, 'Hello'));
    expect(judged('text', two)).toEqual({ broken: ['chunk-shape'], hidden, why });
  });

  test('hides what else is missing', () => {
    const why = ['event 4 is malformed'];
    const finish = all(replaced(4, 'Hello'), (events) => events.splice(5, 1));
    expect(judged('usage', finish, { includeUsage: true })).toEqual({
      broken: ['chunk-shape'],
      hidden,
      why,
    });
  });

  test('hides whether the first delta had a role', () => {
    const why = ['event 0 is malformed'];
    expect(judged('text', replaced(0, 'Hello'))).toEqual({
      broken: ['chunk-shape'],
      hidden: [...hidden, 'role-first'].sort(),
      why,
    });
  });

  test('hides nothing that shows', () => {
    const late = all(replaced(2, 'Hello'), moved(4, 0, 3));
    const { broken, hidden: rest } = judged('text', late);
    expect(broken).toEqual(['chunk-shape', 'nothing-after-finish']);
    expect(rest).toEqual(hidden.filter((rule) => rule !== 'nothing-after-finish'));
  });
});

describe('a stream without [DONE]', () => {
  const interrupted = ['the stream was interrupted'];

  test.each([
    ['before the finish', 3, answer],
    ['before anything', 0, answer],
    ['after the finish', 5, []],
  ])('hides what may still come: %s', (_, length, hidden) => {
    expect(judged('text', first(length), { cut: true })).toEqual({
      broken: [],
      hidden: [...hidden, 'done-is-last'].sort(),
      why: interrupted,
    });
    const why = hidden.length > 0 ? ['the stream has no [DONE]'] : [];
    expect(judged('text', first(length))).toEqual({ broken: ['done-is-last'], hidden, why });
  });

  test('has no call to judge yet', () => {
    expect(judged('tool-calls', first(3), { cut: true }).broken).toEqual([]);
  });

  test('may still bring the usage, when the request asked for it', () => {
    const includeUsage = true;
    expect(judged('usage', first(5), { cut: true, includeUsage })).toEqual({
      broken: [],
      hidden: ['done-is-last', 'usage-chunk'],
      why: interrupted,
    });
    const seen = judged('usage', first(6), { cut: true, includeUsage });
    expect(seen).toEqual({ broken: [], hidden: ['done-is-last'], why: interrupted });
    const twice = judged('usage', all(doubled(5), first(7)), { cut: true, includeUsage });
    expect(twice.broken).toEqual(['usage-chunk']);
  });

  test('but with foreign events, has nothing else to judge', () => {
    const foreign = added({ candidates: [] });
    expect(judged('text', all(first(0), foreign), { cut: true })).toEqual({
      broken: ['no-foreign-events'],
      hidden: [...answer, 'done-is-last'].sort(),
      why: interrupted,
    });
  });
});

describe('an error', () => {
  const why = ['the stream was interrupted'];

  test('hides what would have come', () => {
    const hidden = [...answer, 'done-is-last'].sort();
    expect(judged('error', none)).toEqual({ broken: [], hidden, why });
  });

  test('hides it before [DONE], too', () => {
    const hidden = [...answer, 'usage-chunk'].sort();
    const done = added('[DONE]');
    expect(judged('error', done, { includeUsage: true })).toEqual({ broken: [], hidden, why });
  });
});

test('a chunk that only does not say which answer it belongs to hides nothing of what it says', () => {
  const nameless = all(...[0, 1, 2, 3, 4].map((index) => without(index, 'created')));
  expect(judged('text', nameless)).toEqual({ broken: ['chunk-shape'], hidden: [], why: [] });
  const late = all(without(0, 'created'), doubled(4));
  expect(judged('text', late).broken).toEqual(['chunk-shape', 'one-finish']);
});

test('an end that another choice was given hides what the text came to', () => {
  const strayed = judged('text', set(4, 'choices[0].index', 5));
  expect(strayed.broken).toContain('one-finish');
  expect(strayed.hidden).toEqual(['arguments-join', 'deltas-join-to-text']);
  expect(strayed.why[0]).toMatch(/^choice 0 has no finish_reason/);
});

test('an empty stream lacks its end, and nothing else is known of it', () => {
  const { unjudged } = judgeChatCompletions(assembled([]));
  expect([...unjudged.keys()].sort()).toEqual(answer);
});
