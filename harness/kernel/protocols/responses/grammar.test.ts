import { describe, expect, test } from 'vitest';
import { numberAt } from '../../core/json-value.ts';
import { frames, items, numbering, order, shapes, texts } from '../samples/broken-responses.ts';
import {
  all,
  assembled,
  brokenRules,
  dropped,
  editable,
  goodStream,
  mutated,
  set,
  streamNames,
  without,
} from '../samples/streams.ts';
import { judgeResponses } from './grammar.ts';
import { rules } from './rules.ts';

const delta = 'response.output_text.delta';
const completed = 'response.completed';

describe('good streams break no rule', () => {
  test.each(streamNames('responses'))('%s', (name) => {
    const { violations, unjudged, ownEvents } = judgeResponses(goodStream('responses', name));
    expect(violations).toEqual([]);
    expect([...unjudged]).toEqual([]);
    expect(ownEvents).toBeGreaterThan(0);
  });

  test.each(streamNames('responses'))('%s as the frames of a socket', (name) => {
    const events = editable(goodStream('responses', name));
    const { violations } = judgeResponses(assembled(events, { transport: 'socket' }));
    expect(violations).toEqual([]);
  });

  test.each(streamNames('responses').filter((name) => name !== 'lone-error'))(
    '%s, every tail of it',
    (name) => {
      const events = editable(goodStream('responses', name));
      for (let from = 1; from <= events.length; from++) {
        const before = events.slice(0, from).map(({ body }) => numberAt(body, 'sequence_number'));
        const resumedAfter = before.findLast((n) => n !== null);
        if (resumedAfter === undefined || resumedAfter === null) continue;
        const tail = assembled(events.slice(from), { keepNumbers: true });
        if (tail.events.every(({ json }) => json === undefined)) continue;
        expect(judgeResponses(tail, { resumedAfter }).violations, `from ${from}`).toEqual([]);
      }
    },
  );
});

test('a recovery after the last event, or from the first, is no defect', () => {
  expect(judgeResponses(assembled([]), { resumedAfter: 7 }).violations).toEqual([]);
  const whole = goodStream('responses', 'text');
  expect(judgeResponses(whole, { resumedAfter: -1 }).violations).toEqual([]);
  const early = judgeResponses(whole, { resumedAfter: 3 });
  expect(brokenRules(early)).toEqual(['sequence-increases']);
});

const cases = [...numbering, ...frames, ...order, ...shapes, ...items, ...texts];

describe('one edit breaks exactly one rule', () => {
  for (const [rule, what, stream, edit, how] of cases) {
    test(`${rule}: ${what} (${stream})`, () => {
      expect(brokenRules(judgeResponses(mutated('responses', stream, edit, how)))).toEqual([rule]);
    });
  }

  test('and each rule is broken by some', () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(rules));
  });
});

test('a violation names the first event that broke the rule, with its neighbours', () => {
  const both = all(set(delta, 'item_id', 'msg_9', 1), set(delta, 'item_id', 'msg_8', 2));
  const stream = mutated('responses', 'text', both);
  const [violation] = judgeResponses(stream).violations;
  expect(violation).toMatchObject({
    rule: 'ids-constant',
    index: 5,
    expected: 'item msg_1 at output_index 0',
    actual: 'msg_9 at output_index 0',
  });
  expect(violation?.neighbours).toHaveLength(3);
  expect(violation?.neighbours[1]).toContain('5: event response.output_text.delta: {');
});

test('what another defect hides is not judged, instead of passed', () => {
  const typeless = mutated('responses', 'text', without(delta, 'type'), { transport: 'socket' });
  expect(judgeResponses(typeless).unjudged.has('deltas-join-to-text')).toBe(true);
  const endless = mutated('responses', 'text', dropped(-1));
  expect([...judgeResponses(endless).unjudged.keys()]).toContain('terminal-matches-status');
});

test.each([
  ['that other events carry the response', delta, 'response', { id: 'resp_1', status: 'queued' }],
  ['that it is cancelled', 'response.in_progress', 'response.status', 'cancelled'],
])('what a response is while it runs: %s is legal', (_, type, path, value) => {
  expect(judgeResponses(mutated('responses', 'text', set(type, path, value))).violations).toEqual(
    [],
  );
});

test('the end of a cancelled stream is free', () => {
  const plain = mutated('responses', 'text', (events) => events.splice(6));
  expect(brokenRules(judgeResponses(plain))).toEqual(['one-terminal-last']);
  expect(judgeResponses(plain, { cancelled: true }).violations).toEqual([]);
  const named = mutated('responses', 'text', (events) => {
    events.splice(6, Number.POSITIVE_INFINITY, {
      name: 'response.cancelled',
      body: {
        type: 'response.cancelled',
        sequence_number: 0,
        response: { id: 'resp_1', status: 'cancelled' },
      },
    });
  });
  expect(judgeResponses(named).violations).toEqual([]);
});

test('a stream that we cut has no end to judge', () => {
  const cut = mutated('responses', 'text', (events) => events.splice(6), { cut: true });
  const { violations, unjudged } = judgeResponses(cut);
  expect(violations).toEqual([]);
  expect(unjudged.has('one-terminal-last')).toBe(true);
  expect(unjudged.has('created-first')).toBe(false);
});

test('an empty stream is none', () => {
  expect(brokenRules(judgeResponses(assembled([])))).toEqual([
    'created-first',
    'one-terminal-last',
  ]);
});

test('facts', () => {
  const findings = judgeResponses(goodStream('responses', 'reasoning-and-calls'));
  expect(findings).toMatchObject({ terminal: 'response.completed' });
  expect(findings.sequenceNumbers.at(-1)).toBe(findings.sequenceNumbers.length - 1);
  const failed = judgeResponses(goodStream('responses', 'error-then-failed'));
  expect(failed.types.slice(-2)).toEqual(['error', 'response.failed']);
  expect(failed.terminal).toBe('response.failed');
  expect(judgeResponses(goodStream('responses', 'lone-error'))).toMatchObject({
    types: ['error'],
    terminal: 'error',
    ownEvents: 1,
  });
  const endless = judgeResponses(mutated('responses', 'text', dropped(completed)));
  expect(endless.terminal).toBeNull();
  const odd = goodStream('responses', 'keepalive-and-unknown');
  expect(judgeResponses(odd).ownEvents).toBe(odd.events.length);
});
