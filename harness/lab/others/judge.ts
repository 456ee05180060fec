import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { providerKey } from '../../features/client/index.ts';
import type { RunResult } from '../../kernel/core/index.ts';
import { type StartedFront, startFront } from '../../proof/index.ts';
import type { ReferenceGateway } from '../../reference/index.ts';
import { touchstone } from '../touchstone.ts';
import type { OtherGateway, TargetClaims } from './gateway.ts';
import { install } from './install.ts';
import { freePort, start } from './start.ts';

/** Limits without pacing, because the gateways run on this machine. */
const limits = { concurrency: 8, requestsPerSecond: null, timeoutMs: 20_000, patienceMs: 10_000 };

/** Installs a gateway, starts it, judges it, and ends it. The reports are left in the folder. */
export function judge(
  other: OtherGateway,
  folder: string,
  upstream: ReferenceGateway,
): Promise<RunResult> {
  return whileStarted(other, folder, upstream, (regions, claims) => {
    const target = join(folder, 'target.yaml');
    const name = `${other.name} ${other.version}`;
    writeFileSync(
      target,
      stringify({ name, regions, ...claims, limits }, { aliasDuplicateObjects: false }),
    );
    return run(['run', '--target', target], folder);
  });
}

/** Judges the upstream side of a gateway: Touchstone is its provider, and sends requests to its front. */
export async function judgeBack(
  other: OtherGateway,
  folder: string,
  reference: ReferenceGateway,
): Promise<RunResult> {
  const port = await freePort();
  const upstream = {
    ...reference,
    regions: [{ name: 'only', baseUrl: `http://127.0.0.1:${port}` }],
    keys: { ...reference.keys, owner: providerKey },
  };
  return whileStarted(other, folder, upstream, ([region], { keys, models }) => {
    const front = ['--upstream-of', region?.baseUrl ?? '', '--model', models[0]?.id ?? ''];
    const name = ['--name', `${other.name} ${other.version}`];
    const line = ['client', ...front, ...name, '--key-env', 'KEY', '--listen', String(port)];
    return run(line, folder, { KEY: keys.owner });
  });
}

interface Front {
  readonly name: string;
  readonly baseUrl: string;
}

/** Starts a gateway before an upstream, does something with it, and ends it. */
async function whileStarted<T>(
  other: OtherGateway,
  folder: string,
  upstream: ReferenceGateway,
  use: (fronts: readonly Front[], claims: TargetClaims) => Promise<T>,
): Promise<T> {
  const installed = await install(other, join(folder, 'installed'));
  const work = join(folder, 'work');
  mkdirSync(work, { recursive: true });
  const ports: number[] = [];
  for (const _ of upstream.regions) ports.push(await freePort());
  const [port = 0] = ports;
  const at = (one: number): string => `http://127.0.0.1:${one}`;
  const prepared = other.prepare({ port, ports, upstream });
  const fronts: StartedFront[] = [];
  let gateway: ChildProcess | undefined;
  try {
    gateway = await start(prepared, { installed, folder: work, port });
    for (const { headersFor } of prepared.fronts ?? []) {
      fronts.push(await startFront({ adds: ({ path }) => headersFor(path) }, at(port)));
    }
    const regions = (prepared.fronts ?? []).map(({ region }, index) => ({
      name: region,
      baseUrl: fronts[index]?.baseUrl ?? '',
    }));
    if (prepared.everyRegion === true) {
      regions.push(
        ...upstream.regions.map(({ name }, index) => ({ name, baseUrl: at(ports[index] ?? 0) })),
      );
    }
    if (regions.length === 0)
      regions.push({ name: 'only', baseUrl: `${at(port)}${prepared.path ?? ''}` });
    return await use(regions, prepared.target);
  } finally {
    await Promise.all(fronts.map((front) => front.close()));
    gateway?.kill();
  }
}

/** A command of Touchstone, in a process of its own, as a user has it. Any verdict is a result. */
async function run(
  what: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<RunResult> {
  const at = (name: string): string => join(folder, name);
  const reports = ['--json', at('report.json'), '--html', at('report.html')];
  const record = ['--record', at('recording.jsonl')];
  const line = [...what, '--seed', '1', ...reports, ...record];
  await touchstone(line, at('report.txt'), { env: { ...process.env, ...environment } });
  return JSON.parse(readFileSync(at('report.json'), 'utf8'));
}
