import { expect, onTestFinished, test } from 'vitest';
import { run } from '../kernel/engine/run.ts';
import { referenceTarget } from '../kernel/targets/reference.ts';
import { admit, relax } from './decisions.ts';

// A region that is neither the first nor the second keeps the rules, too.

const isThere = (region: string): boolean => region === 'ap';

test.each([
  [
    'asks for no key',
    'access/owners.key-required:lookup',
    admit((secret, call) => secret === undefined && isThere(call.gateway.region)),
  ],
  [
    'shows every user everything',
    'access/owners.other-user-denied:lookup',
    relax('isSameUser', ({ call }) => isThere(call.gateway.region)),
  ],
  [
    'shows what other regions have made',
    'access/regions.other-region-denied:lookup',
    relax('isOriginalRegion', ({ call }) => isThere(call.gateway.region)),
  ],
  [
    'gives away what it has made',
    'access/regions.other-region-denied:lookup',
    relax('isOriginalRegion', ({ record }) => isThere(record.region)),
  ],
])('a third region that %s is blamed', async (_, id, override) => {
  const defect = { id: 'regions.third', what: 'The third region is wrong.', override };
  const { target, close } = await referenceTarget({ regions: ['eu', 'us', 'ap'], defect });
  onTestFinished(close);
  const { checks } = await run({ target, seed: 1, filters: [id] });
  const verdict = checks.find((check) => check.id === id)?.verdict;
  expect(verdict).toMatchObject({ state: 'fail', points: { broken: expect.any(Number) } });
  expect(verdict).toMatchObject({ actual: expect.stringMatching(/\bap\b/) });
});
