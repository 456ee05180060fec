import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { temporaryFolder } from '../../testing.ts';
import type { JsonReport } from '../report/json.ts';
import { inProcess as call } from './testing.ts';

const folder = temporaryFolder();

const small: Defect = {
  id: 'long-runs.refused',
  what: 'A model refuses to be asked for more than it can make.',
  override: ({ policy }) => ({
    policy: {
      outputLimit: (asked, request) => {
        if (asked !== null && asked > 512) {
          const text = "'max_output_tokens' is larger than this model's maximum, 512.";
          throw new Refusal('limit-too-large', text, 'max_output_tokens');
        }
        return policy.outputLimit(asked, request);
      },
    },
  }),
};

const gateway = await startReference({ defect: small });
afterAll(async () => {
  await gateway.close();
});

/** Returns the verdicts of the checks that stop a running response, in a run with these limits. */
async function judged(limits: object) {
  const { regions, keys, models } = gateway;
  const [file, report] = [join(folder, 'target.yaml'), join(folder, 'report.json')];
  writeFileSync(file, JSON.stringify({ regions, keys, models, limits }));
  const rows = 'background/cancel.stops-run storage/deletion.cancels-running';
  await call(`run --quiet --target ${file} --json ${report} ${rows}`);
  const { checks }: JsonReport = JSON.parse(readFileSync(report, 'utf8'));
  return checks.map(({ verdict }) => verdict).filter(({ state }) => state !== 'excluded');
}

test('where a model refuses so high a limit, the report says what to set', async () => {
  for (const verdict of await judged({})) {
    expect(verdict.state).toBe('inconclusive');
    expect(JSON.stringify(verdict)).toContain('limits.longRunTokens');
  }
});

test('with its maximum in the target file, it is judged', async () => {
  const verdicts = await judged({ longRunTokens: 512 });
  expect(verdicts.length).toBeGreaterThan(1);
  for (const { state } of verdicts) expect(state).toBe('pass');
});
