import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handling } from '../../proof/planting.ts';
import { startReference } from '../../reference/index.ts';
import { Refusal } from '../../reference/refusal.ts';
import { temporaryFolder } from '../../testing.ts';
import type { JsonReport } from '../report/json.ts';
import { inProcess as call } from './testing.ts';

const folder = temporaryFolder();

test('what a key may do is judged where the list of models is broken, too', async () => {
  const gateway = await startReference({
    defect: {
      id: 'models.broken',
      what: 'The list of models is broken.',
      override: handling('models.list', () => () => {
        throw new Refusal('internal-error', 'This cannot be done.');
      }),
    },
  });
  const [file, report] = [join(folder, 'target.yaml'), join(folder, 'report.json')];
  const { regions, keys, models } = gateway;
  writeFileSync(file, JSON.stringify({ regions, keys, models }));
  const rows = ['access/permissions', 'access/owners.same-user-served', 'models/list.served'];
  await call(`run --quiet --target ${file} --json ${report} ${rows.join(' ')}`);
  await gateway.close();
  const { checks }: JsonReport = JSON.parse(readFileSync(report, 'utf8'));
  const undecided = checks.filter(({ verdict }) => verdict.state === 'inconclusive');
  expect(undecided.map(({ id }) => id)).toEqual([]);
  const failed = checks.filter(({ verdict }) => verdict.state === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['models/list.served']);
});
