import { expect, test } from 'vitest';
import { runIdentity } from './challenge.ts';

const challenge = '6f1d9c20b7e84a35';
const start = '2026-11-23T12:00:00.000Z';

test('seed and run id follow from a challenge; two runs for one differ in their ids', () => {
  const one = runIdentity(7, challenge, start);
  expect(runIdentity(8, challenge, start)).toEqual(one);
  expect(one.runId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const later = runIdentity(7, challenge, '2026-11-23T12:00:00.001Z');
  expect(later.seed).toBe(one.seed);
  expect(later.runId).not.toBe(one.runId);
  const other = runIdentity(7, '6f1d9c20b7e84a36', start);
  expect(other.seed).not.toBe(one.seed);
  expect(other.runId).not.toBe(one.runId);
});

test('without one the seed stays, and each run has an id of its own', () => {
  const [one, other] = [runIdentity(7, undefined, start), runIdentity(7, undefined, start)];
  expect(one.seed).toBe(7);
  expect(other.runId).not.toBe(one.runId);
});
