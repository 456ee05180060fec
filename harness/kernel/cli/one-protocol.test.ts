import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Defect, startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import type { RunResult } from '../core/result.ts';
import { inProcess } from './testing.ts';

const limits = { concurrency: 16, requestsPerSecond: 1_000 };

const responses = ['background', 'compact', 'input_tokens', 'websocket', 'tools', 'stream'];

/**
 * Name of each protocol in a target file, its name in the reference gateway, and the capabilities that a
 * channel may offer over it.
 */
const protocols = [
  { declared: 'responses', dialect: 'responses', capabilities: responses },
  { declared: 'chat', dialect: 'chat-completions', capabilities: ['tools', 'stream'] },
  {
    declared: 'vendorA-messages',
    dialect: 'messages',
    capabilities: ['count_tokens', 'tools', 'stream'],
  },
  {
    declared: 'vendorB',
    dialect: 'generative',
    capabilities: ['vendorB-count', 'tools', 'stream'],
  },
  { declared: 'systemone', dialect: 'systemone', capabilities: [] },
];

/** A gateway that has the endpoints of one protocol, and the list of models. */
function only(dialect: string): Defect {
  return {
    id: `one-protocol.${dialect}`,
    what: `It has the endpoints of ${dialect} only.`,
    override: ({ endpoints }) => ({
      endpoints: {
        routes: (one) => ([dialect, 'models'].includes(one.name) ? endpoints.routes(one) : []),
      },
    }),
  };
}

test.each(protocols)(
  'a gateway with $declared alone is not blamed for the others',
  { timeout: 120_000 },
  async ({ declared, dialect, capabilities }) => {
    const gateway = await startReference({ defect: only(dialect) });
    const folder = temporaryFolder();
    onTestFinished(async () => {
      await gateway.close();
    });
    const { regions, keys, probes } = gateway;
    const models = gateway.models
      .filter(({ protocols }) => protocols.includes(declared))
      .map((model) => ({
        ...model,
        protocols: [declared],
        supports: capabilities.filter((one) => model.supports.includes(one)),
        lacks: capabilities.filter((one) => model.lacks.includes(one)),
      }));
    const target = join(folder, 'target.yaml');
    // JSON is YAML, too.
    writeFileSync(
      target,
      JSON.stringify({ name: declared, regions, keys, models, probes, limits }),
    );
    const report = join(folder, 'report.json');
    const { err } = await inProcess(`run --target ${target} --json ${report} --quiet`);
    expect(err).toBe('');
    const result: RunResult = JSON.parse(readFileSync(report, 'utf8'));
    const blamed = result.checks.filter(({ verdict }) =>
      ['fail', 'warn', 'inconclusive', 'error'].includes(verdict.state),
    );
    expect(blamed.map(({ id, verdict }) => ({ id, verdict }))).toEqual([]);
    expect(result.counts.pass).toBeGreaterThan(40);
  },
);
