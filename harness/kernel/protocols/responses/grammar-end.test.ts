import { describe, expect, test } from 'vitest';
import {
  added,
  all,
  assembled,
  brokenRules,
  doubled,
  dropped,
  type Edit,
  editable,
  goodStream,
  mutated,
  replaced,
  retyped,
  set,
  without,
} from '../samples/streams.ts';
import { judgeResponses } from './grammar.ts';

const completed = 'response.completed';
const delta = 'response.output_text.delta';
const textDone = 'response.output_text.done';
const error = { type: 'error', sequence_number: 0, code: null, message: 'no', param: null };

const content = [
  'items-open-and-close',
  'parts-open-and-close',
  'deltas-join-to-text',
  'arguments-join',
];

function edited(edit: Edit, name = 'text') {
  const findings = judgeResponses(mutated('responses', name, edit));
  return { ...findings, left: [...findings.unjudged.keys()] };
}

const afterTheEnd: readonly (readonly [what: string, name: string, edit: Edit, told: string])[] = [
  ['a second end', 'text', doubled(completed), 'response.completed after response.completed'],
  ['an error', 'text', added(error), 'error after response.completed'],
  ['an event', 'lone-error', added({ type: 'novelty' }), 'novelty after error'],
  ['[DONE] twice', 'text-done', doubled('[DONE]'), 'a second [DONE] after response.completed'],
  ['no type', 'text', added({ x: 1 }), 'an event without a type after response.completed'],
];

test.each(afterTheEnd)('what comes after the end is told: %s (%s)', (_, name, edit, told) => {
  const { violations } = edited(edit, name);
  const [violation] = violations.filter(({ rule }) => rule === 'one-terminal-last');
  expect(violation?.actual).toBe(told);
});

test('[DONE] is an end, too', () => {
  const events = editable(goodStream('responses', 'text-done'));
  const early = events.findIndex(({ body }) => body === '[DONE]');
  events.splice(5, 0, ...events.splice(early, 1));
  const [violation] = judgeResponses(assembled(events)).violations;
  expect(violation).toMatchObject({ index: 6, actual: `${delta} after [DONE]` });
});

test('a missing end is told with what came last', () => {
  const endless = edited(dropped(completed));
  expect(endless.violations).toMatchObject([
    { index: 11, actual: 'an end after response.output_item.done' },
  ]);
  const [, violation] = judgeResponses(assembled([])).violations;
  expect(violation?.actual).toBe('an end after nothing');
});

describe('what cannot be judged', () => {
  test('after a second end, everything still can', () => {
    expect(edited(doubled(completed)).left).toEqual([]);
    expect(edited(doubled('[DONE]'), 'text-done').left).toEqual([]);
    const both = all(doubled(completed), dropped(textDone));
    expect(brokenRules(edited(both))).toEqual(['deltas-join-to-text', 'one-terminal-last']);
  });

  test('where something else comes after the end, what it would have been part of', () => {
    const { left, violations } = edited(all(added({ type: delta }), dropped(textDone)));
    expect(violations.map(({ rule }) => rule)).toEqual(['one-terminal-last']);
    expect(left).toEqual(content);
  });

  test('where an event cannot be read, what it could have told', () => {
    const { left } = edited(replaced(delta, '{'));
    const numbers = ['sequence-from-zero', 'sequence-increases'];
    const told = [...content, 'created-first', 'indexes-append', 'ids-constant'];
    expect(left).toEqual([...numbers, ...told]);
    const reasons = new Set(edited(replaced(delta, '{')).unjudged.values());
    expect([...reasons]).toEqual(['event 4 cannot be read']);
    const nameless = judgeResponses(
      mutated('responses', 'text', without(delta, 'type'), { transport: 'socket' }),
    );
    expect([...nameless.unjudged]).toEqual(told.map((rule) => [rule, 'event 4 has no type']));
  });

  test('where the end is missing, all that it tells', () => {
    const endings = [...content, 'terminal-matches-status', 'one-terminal-last'];
    const cut = mutated('responses', 'text', dropped(completed), { cut: true });
    expect([...judgeResponses(cut).unjudged]).toEqual(
      endings.map((rule) => [rule, 'the stream was interrupted']),
    );
    expect([...edited(dropped(completed)).unjudged]).toEqual(
      endings
        .filter((rule) => rule !== 'one-terminal-last')
        .map((rule) => [rule, 'the stream has no end']),
    );
    const cancelled = judgeResponses(cut, { cancelled: true });
    expect([...cancelled.unjudged]).toEqual([]);
  });
});

test('a stream of which nothing can be read breaks one rule', () => {
  const findings = judgeResponses(assembled([{ name: 'response.created', body: '{' }]));
  expect(brokenRules(findings)).toEqual(['events-typed']);
  expect(findings.ownEvents).toBe(0);
});

test('an event that cannot be read excuses in a tail what it may have been', () => {
  const events = editable(goodStream('responses', 'text')).slice(2);
  const inTail = (edit: Edit) => {
    const all = structuredClone(events);
    edit(all);
    const tail = assembled(all, { keepNumbers: true });
    return brokenRules(judgeResponses(tail, { resumedAfter: 1 }));
  };
  expect(inTail(() => {})).toEqual([]);
  for (const n of events.keys()) expect(inTail(replaced(n, '{')), `${n}`).toEqual(['events-typed']);
});

describe('a tail', () => {
  test('comes to an end, unless nothing is left', () => {
    const tail = assembled(editable(goodStream('responses', 'text')).slice(6, 9));
    expect(brokenRules(judgeResponses(tail, { resumedAfter: -1 }))).toEqual(['one-terminal-last']);
    const empty = judgeResponses(assembled([]), { resumedAfter: 7 });
    expect([...empty.unjudged]).toEqual([]);
  });

  test('closes what it shows to be open', () => {
    const events = editable(goodStream('responses', 'text')).slice(5);
    const without = (type: string) => {
      const rest = events.filter(({ name }) => name !== type);
      return brokenRules(judgeResponses(assembled(rest), { resumedAfter: -1 }));
    };
    expect(without('response.novelty')).toEqual([]);
    expect(without(textDone)).toEqual(['deltas-join-to-text']);
    expect(without('response.content_part.done')).toEqual(['parts-open-and-close']);
    expect(without('response.output_item.done')).toEqual(['items-open-and-close']);
  });
});

test('what is found at the end is told of the last event', () => {
  const [violation] = edited(dropped(textDone)).violations;
  expect(violation).toMatchObject({ rule: 'deltas-join-to-text', index: 10 });
  const done = edited(dropped(textDone), 'text-done').violations;
  expect(done).toMatchObject([{ index: 10 }]);
});

test('arguments that the end of the response cuts short need not be an object', () => {
  const half = '{"ci';
  const cut = all(
    dropped('response.function_call_arguments.delta', 1),
    dropped('response.function_call_arguments.delta', 1),
    set('response.function_call_arguments.done', 'arguments', half),
    set('response.output_item.done', 'item.arguments', half),
    set(completed, 'response.output[0].arguments', half),
  );
  expect(brokenRules(edited(cut, 'function-call'))).toEqual(['arguments-join']);
  const short = all(
    cut,
    set(completed, 'response.status', 'incomplete'),
    retyped(completed, 'response.incomplete'),
  );
  expect(brokenRules(edited(short, 'function-call'))).toEqual([]);
});
