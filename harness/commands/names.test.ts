import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../reference/index.ts';
import { call } from './testing.ts';

/** As quickly as it answers. */
const limits = { concurrency: 16, requestsPerSecond: 1_000 };
/** A deployment as there are: the publishers' own names in its headers, and below a path. */
const names = { vendorA: 'anthropic', vendorB: 'goog' };

test('a gateway with the real names of the publishers, below a path, is judged the same', {
  timeout: 120_000,
}, async () => {
  const gateway = await startReference({ names, pathPrefix: '/gateway/eu' });
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-names-'));
  onTestFinished(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  const { regions, keys, models, probes, retentionDays } = gateway;
  const file = join(folder, 'target.yaml');
  // JSON is YAML, too.
  writeFileSync(
    file,
    JSON.stringify({ name: 'named', names, regions, keys, models, probes, retentionDays, limits }),
  );
  expect(regions[0]?.baseUrl).toMatch(/\/gateway\/eu$/);
  const { code, out } = await call(`run --target ${file}`);
  expect(out).toContain('CONFORMANT');
  expect(out).not.toMatch(/\d+ (failed|warned|inconclusive|untestable)/);
  expect(code).toBe(0);

  // The same gateway under the neutral names refuses the keys: the names do matter.
  writeFileSync(file, JSON.stringify({ name: 'named', regions, keys, models, probes, limits }));
  const neutral = await call(`run --target ${file} access/credentials.own-header-served:messages`);
  expect(neutral.code).toBe(1);
});
