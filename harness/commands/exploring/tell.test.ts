import { expect, test } from 'vitest';
import { nothingExplored } from '../../explore/finds.ts';
import { referenceTarget } from '../../target/reference.ts';
import { told } from './tell.ts';

test('nothing was found only where a history was decided in every act', async () => {
  const { target, close } = await referenceTarget();
  await close();
  const how = { target, startedAt: '', durationMs: 0 };
  const explored = { ...nothingExplored(1), histories: 2, acts: 20, unknown: 2 };
  const verdict = (decided: number, incomplete: string | null) =>
    told({ ...explored, decided }, { ...how, incomplete }).verdict;
  expect(verdict(1, null)).toBe('nothing-found');
  expect(verdict(0, null)).toBe('undecided');
  expect(verdict(2, 'it was interrupted')).toBe('undecided');
});
