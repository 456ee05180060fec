import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/core/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { called } from './commands/testing-bundles.ts';
import { demandsOf } from './demands.ts';
import { verifyBundle } from './verify.ts';

test.each([
  [{}, {}, /is missing/],
  [{ processorSeconds: 0.01 }, { isOver: true }, /more than 0.01 s of the processor/],
  [{ heapMegabytes: 8 }, { isOver: true }, /more than 8 MB of memory/],
  [{ megabytes: 1 }, { isOver: true }, /more than 1 MB of memory/],
])('with the limits %j a bundle is judged, or is over one of them', async (less, over, why) => {
  const worker = join(packageRoot, 'dist', 'harness', 'judging-worker.js');
  const verification = await verifyBundle(temporaryFolder(), demandsOf({}), less, worker);
  const problems = expect.arrayContaining([expect.stringMatching(why)]);
  expect(verification).toMatchObject({ level: null, problems, ...over });
});

test('a report overwrites no key that the policy names', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'policy.yaml'), 'publicKeys: [key.pem]\n');
  const policy = ['--policy', join(folder, 'policy.yaml'), '--html', join(folder, 'key.pem')];
  const { code, err } = await called('verify', folder, ...policy);
  expect(err).toContain('are the same file: name another for one of them');
  expect(code).toBe(3);
});
