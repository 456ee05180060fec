import { expect, test } from 'vitest';
import { answer, hundredths } from './answers.ts';

const decision = { model: 'm', state: '"it rains"' };

test('a noul is a number from 0 to 1 with two decimals', () => {
  const { type, noul } = answer(decision, 'wet', { type: 'noul' });
  expect(type).toBe('noul');
  expect(noul).toBeGreaterThanOrEqual(0);
  expect(noul).toBeLessThanOrEqual(1);
  expect(Number(noul).toFixed(2)).toBe(Number(noul).toFixed(10).slice(0, 4));
});

test('a choice is the most probable label', () => {
  const given = answer(decision, 'what', {
    type: 'choice',
    criteria: { umbrella: 'rain', hat: null, nothing: 'else' },
  });
  expect(Object.keys(Object(given.probabilities))).toEqual(['umbrella', 'hat', 'nothing']);
  const probabilities = Object.entries(Object(given.probabilities));
  const best = Math.max(...probabilities.map(([, p]) => Number(p)));
  expect(given.confidence).toBe(best);
  expect(Object(given.probabilities)[String(given.choice)]).toBe(best);
});

test('a score is the expected level', () => {
  const given = answer(decision, 'how', { type: 'score', criteria: ['bad', 'fair', 'good'] });
  expect(given.legend).toEqual({ 0: 'bad', 1: 'fair', 2: 'good' });
  const expected = Object.entries(Object(given.probabilities)).reduce(
    (sum, [level, p]) => sum + Number(level) * Number(p),
    0,
  );
  expect(given.score).toBeCloseTo(expected, 6);
});

test('the same question has the same answer, another state another one', () => {
  const question = { type: 'choice', criteria: { a: null, b: null, c: null } };
  expect(answer(decision, 'q', question)).toEqual(answer(decision, 'q', question));
  expect(answer({ ...decision, state: '"sun"' }, 'q', question)).not.toEqual(
    answer(decision, 'q', question),
  );
});

test.for([[[1]], [[1, 1, 1]], [[65_536, 1, 1]], [Array.from({ length: 255 }, (_, i) => i + 1)]])(
  'hundredths of %j sum to 100',
  ([weights]) => {
    expect(hundredths(weights ?? []).reduce((sum, share) => sum + share, 0)).toBe(100);
  },
);
