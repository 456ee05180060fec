import { describe, expect, test } from 'vitest';
import {
  blockDelta,
  blockStart,
  blockStop,
  reason,
  start,
  stop,
} from '../samples/message-events.ts';
import {
  added,
  all,
  assembled,
  brokenAt,
  brokenRules,
  dropped,
  type Edit,
  moved,
  mutated,
  renamed,
  replaced,
  set,
  without,
} from '../samples/streams.ts';
import { messagesContent } from './content.ts';
import { judgeMessages } from './grammar.ts';

/** Tests that a defect suppresses the rules that it makes undecidable, and no others. */

const sayWhatComes = [
  'arguments-join',
  'blocks-open-and-close',
  'deltas-join-to-text',
  'indexes-in-order',
  'no-overlap',
  'stop-reason-before-stop',
  'usage-present',
];

function hidden(edit: Edit, { cut = false, stream = 'text' } = {}) {
  const { unjudged } = judgeMessages(mutated('messages', stream, edit, { cut }));
  return { rules: [...unjudged.keys()].sort(), why: [...new Set(unjudged.values())] };
}

describe('an event that cannot be read', () => {
  test.each([
    ['no JSON', replaced(blockDelta, 'hello')],
    ['no object', replaced(blockDelta, [])],
    ['neither name nor type', all(renamed(2, undefined), without(2, 'type'))],
  ] satisfies [string, Edit][])('may have been anything: %s', (_, edit) => {
    expect(hidden(edit)).toEqual({
      rules: [...sayWhatComes, 'message-start-once-first', 'message-stop-last'].sort(),
      why: ['event 2 cannot be read'],
    });
  });

  test('the first one is told of', () => {
    expect(hidden(all(replaced(2, 'hello'), replaced(3, 'hello'))).why).toEqual([
      'event 2 cannot be read',
    ]);
  });

  test.each([
    ['the reason', all(replaced(reason, 'hello'))],
    ['the last usage', all(added(delta(), 6), replaced(7, 'hello'))],
    ['the next start', all(replaced(blockStart, 'hello'), without(blockStop, 'index'))],
    ['an end', all(replaced(stop, 'hello'))],
  ] satisfies [string, Edit][])('may have been %s', (_, edit) => {
    const lost = mutated('messages', 'text', edit);
    expect(brokenRules(judgeMessages(lost))).toEqual(['event-name-is-type']);
  });

  test('may have been a part of the text, or of arguments', () => {
    const lost = mutated('messages', 'text', replaced(blockDelta, 'hello'));
    expect(brokenRules(judgeMessages(lost, { text: 'Hello there' }))).toEqual([
      'event-name-is-type',
    ]);
    const call = mutated('messages', 'tool-use', replaced(blockDelta, 'hello', 2));
    expect(brokenRules(judgeMessages(call))).toEqual(['event-name-is-type']);
  });

  test('excuses no message_start that comes after other events', () => {
    const late = all(added('hello', 0, 'novelty'), moved(start, 0, blockDelta));
    expect(brokenAt(judgeMessages(mutated('messages', 'text', late)))).toEqual([
      'event-name-is-type at 0',
      'message-start-once-first at 2',
    ]);
  });
});

describe('a malformed event', () => {
  test('hides what it may have said', () => {
    expect(hidden(without(blockDelta, 'delta'))).toEqual({
      rules: sayWhatComes,
      why: ['event 2 is malformed'],
    });
    const two = all(without(3, 'delta'), without(4, 'delta'));
    expect(hidden(two).why).toEqual(['event 3 is malformed']);
  });

  test.each([
    ['the text', without(blockDelta, 'delta'), 'text'],
    ['the reason', set(reason, 'delta', 'end_turn'), 'text'],
    ['the usage', all(set(reason, 'delta', 'end_turn'), without(reason, 'usage')), 'text'],
    ['arguments', without(blockDelta, 'delta.partial_json', 2), 'tool-use'],
  ] satisfies [string, Edit, string][])('may have been %s', (_, edit, name) => {
    const stream = mutated('messages', name, edit);
    expect(brokenRules(judgeMessages(stream, { text: 'Hello there' }))).toEqual([
      'known-event-shapes',
    ]);
  });

  test('has no text where it has none', () => {
    const text = (edit: Edit) => messagesContent.fromEvents(mutated('messages', 'text', edit)).text;
    expect(text(without(blockDelta, 'delta.text'))).toBe(' there');
    expect(text(without(blockStart, 'content_block.text'))).toBe('Hello there');
  });
});

describe('a stream that is interrupted', () => {
  const end = ['arguments-join', 'blocks-open-and-close', 'message-stop-last'];
  const every = [...end, 'deltas-join-to-text', 'stop-reason-before-stop', 'usage-present'].sort();

  test.each([
    ['before the reason', 4, every],
    ['after it', 7, end],
  ])('hides what may still come: %s', (_, length, rules) => {
    const first: Edit = (events) => events.splice(length);
    expect(hidden(first, { cut: true })).toEqual({ rules, why: ['the stream was interrupted'] });
    expect(hidden(first)).toEqual({
      rules: rules.filter((rule) => rule !== 'message-stop-last'),
      why: ['the stream has no message_stop'],
    });
  });

  test('by an error, too', () => {
    const none: Edit = () => {};
    const why = ['the stream was interrupted'];
    expect(hidden(none, { stream: 'error' })).toEqual({ rules: every, why });
  });

  test('has no last message_delta yet', () => {
    const first: Edit = (events) => events.splice(6, 2, { name: reason, body: delta() });
    const cut = mutated('messages', 'text', first, { cut: true });
    expect(brokenRules(judgeMessages(cut))).toEqual([]);
    expect(hidden(first, { cut: true }).rules).toContain('usage-present');
    const ended = mutated('messages', 'text', first);
    expect(brokenRules(judgeMessages(ended))).toEqual(['message-stop-last', 'usage-present']);
  });

  test('before it began, breaks nothing', () => {
    expect(brokenRules(judgeMessages(assembled([], { cut: true })))).toEqual([]);
    const begun = mutated(
      'messages',
      'text',
      all(dropped(start), (events) => events.splice(2)),
      { cut: true },
    );
    expect(brokenAt(judgeMessages(begun))).toEqual(['message-start-once-first at 0']);
  });
});

/** A `message_delta` that says nothing yet. */
function delta() {
  return { type: reason, delta: { stop_reason: null } };
}
