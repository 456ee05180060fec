import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { exampleIn, temporaryFolder } from '../../testing.ts';
import {
  certify,
  doctor,
  init,
  readTarget,
  recheck,
  referenceTarget,
  run,
  verify,
} from './library.ts';

test('the example of the library runs as it stands, from the package by its name', async () => {
  const example = exampleIn(join(import.meta.dirname, 'library.ts'));
  expect(example).toContain("from 'gateway-touchstone'");
  // The package may import itself by its name, and then gets what was built: npm run build.
  const line = ['--input-type=module', '--eval', example];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, line, {
    cwd: packageRoot,
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('# ');
  expect(stdout).toMatch(/generation \| .*\d/);
  expect(stdout).toContain('the same again partial');
});

test('what the commands do, as functions', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const { target, close } = await referenceTarget();
  onTestFinished(close);
  const found = await doctor(target);
  expect(found.filter(({ mark }) => mark === 'right').length).toBeGreaterThan(5);
  expect(found.filter(({ mark }) => mark === 'wrong')).toEqual([]);

  const [region] = target.regions;
  const environment = { TOUCHSTONE_KEY: target.keys.owner };
  const file = await init({ baseUrl: region?.baseUrl ?? '', model: ['ts-omni'], environment });
  expect(readTarget(file, 'touchstone.yaml', environment).models.map(({ id }) => id)).toEqual([
    'ts-omni',
  ]);

  const recording = join(folder, 'exchanges.jsonl');
  const result = await run({ target, seed: 1, filters: ['models/'], recording });
  const again = await recheck(recording);
  expect(again.result.counts).toEqual(result.counts);

  const { ledger: _, ...probes } = target.probes;
  const incomplete = { ...target, probes: { ...probes, ledger: [] } };
  const refused = await certify({ target: incomplete, out: join(folder, 'none') });
  expect(refused).toMatchObject({ result: null, written: null });
  expect([...refused.missing.keys()].join()).toContain('probes.ledger');
  expect(await verify(folder)).toMatchObject({ isCertificate: false, report: null });
});
