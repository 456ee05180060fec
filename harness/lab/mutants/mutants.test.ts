import { expect, test } from 'vitest';
import { instrumentReference } from './instrumented.ts';
import { judgeMutant } from './judged.ts';

test('a mutant of the reference is judged by the whole suite', { timeout: 240_000 }, async () => {
  const mutants = await instrumentReference();
  expect(mutants.length).toBeGreaterThan(5_000);
  const showsDeleted = mutants.find(({ change }) => change === '!record.deleted → record.deleted');
  const { outcome, by } = await judgeMutant(showsDeleted?.id ?? 'none');
  expect([outcome, by.length]).toEqual(['fails', 1]);
});
