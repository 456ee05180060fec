import { expect, test } from 'vitest';
import type { Traffic } from '../core/result.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { heldBackInWords } from './words.ts';

const { traffic } = sampleRun(sampleChecks);

test('says what held a run back for a second or more, with the number in the target file', () => {
  const held: Traffic = {
    ...traffic,
    heldBack: [
      { by: 'concurrency', ms: 90_000, limit: 8 },
      { by: 'requests-per-second', ms: 18_200, limit: 20 },
      { by: 'hostile-per-second', ms: 400, limit: 5 },
      { by: 'rate-limit', ms: 41_000 },
    ],
  };
  expect(heldBackInWords(held)).toBe('18 s by requestsPerSecond: 20, 41 s by 429 and Retry-After');
  expect(heldBackInWords(traffic)).toBeNull();
});
