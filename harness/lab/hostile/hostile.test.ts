import { expect, test } from 'vitest';
import { attacks } from './attacks.ts';
import { tryAttacks } from './trial.ts';

/** The rest takes as long as the time-out each time, or much memory on purpose: `npm run hostile`. */
const quick = attacks.filter(({ endless, id }) => endless !== true && !/bomb|nested/.test(id));

test('the attacks have names of their own', () => {
  expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
});

test('a gateway that does all of it at once gets a result, and nothing else', {
  timeout: 90_000,
}, async () => {
  const trial = await tryAttacks({
    attacks: quick,
    seed: 7,
    every: 2,
    filters: ['generation/responses', 'generation/messages', 'storage/messages'],
    timeoutMs: 1_000,
    mostSeconds: 40,
  });
  expect(trial.problems).toEqual([]);
  expect(trial.verdict).not.toBe('conformant');
  expect(trial.spoiled.size).toBeGreaterThan(8);
});
