import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Called, inProcess, canaryKeys as keys } from '../../../kernel/cli/testing.ts';
import { faults } from '../../../proof/faults/index.ts';
import type { ServedModel } from '../../../reference/fixture-models.ts';
import { startReference } from '../../../reference/index.ts';

/** Test helpers: bundles of a gateway that no longer runs when they are verified. Each takes about a second. */

export const called = (...line: string[]): Promise<Called> => inProcess(line, keys);

interface Certified {
  /** Id of a planted fault. */
  readonly fault?: string;
  /** Further entries of the target file. */
  readonly target?: Readonly<Record<string, unknown>>;
}

/**
 * Certifies a gateway with one model, which speaks Messages. The run has some hundred requests.
 *
 * @param name name of the bundle in the folder
 */
export async function certified(
  folder: string,
  name: string,
  { fault, target }: Certified = {},
  ...options: string[]
): Promise<Called & { readonly requests: number }> {
  const defect = faults.find(({ id }) => id === fault);
  if (fault !== undefined && defect === undefined) throw new Error(`There is no fault ${fault}`);
  const gateway = await startReference({ keys, ...(defect === undefined ? {} : { defect }) });
  const { regions, probes, retentionDays, models } = gateway;
  const file = join(folder, `${name}.yaml`);
  const described = {
    name,
    ...{ regions, keys, probes, retentionDays },
    models: models.slice(0, 1).map(onlyMessages),
    limits: { concurrency: 16, requestsPerSecond: null },
    ...target,
  };
  writeFileSync(file, stringify(described, { aliasDuplicateObjects: false }));
  const line = ['certify', '-q', '-t', file, '-o', join(folder, name), ...options];
  const ended = await called(...line);
  const requests = gateway.requestCount();
  await gateway.close();
  return { ...ended, requests };
}

/** Restricts a model to Messages, with the capabilities that are visible there. */
function onlyMessages({ supports, ...model }: ServedModel) {
  const others = ['background', 'compact', 'input_tokens', 'websocket', 'vendorB-count'];
  return {
    ...model,
    protocols: ['vendorA-messages'],
    supports: supports.filter((capability) => !others.includes(capability)),
  };
}
