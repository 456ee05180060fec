import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { RunResult } from '../../core/result.ts';
import { type StartedFront, startFront } from '../../proof/honest/front.ts';
import type { ReferenceGateway } from '../../reference/index.ts';
import type { OtherGateway } from './gateway.ts';
import { install } from './install.ts';
import { freePort, start } from './start.ts';

const touchstone = join(import.meta.dirname, '..', '..', 'commands', 'main.js');
/** They are at home: nobody else is slowed down. */
const limits = { concurrency: 8, requestsPerSecond: null, timeoutMs: 20_000, patienceMs: 10_000 };

/** Installs a gateway, starts it, judges it, and ends it. The reports are left in the folder. */
export async function judge(
  other: OtherGateway,
  folder: string,
  upstream: ReferenceGateway,
): Promise<RunResult> {
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
      baseUrl: fronts[index]?.baseUrl,
    }));
    if (prepared.everyRegion === true) {
      regions.push(
        ...upstream.regions.map(({ name }, index) => ({ name, baseUrl: at(ports[index] ?? 0) })),
      );
    }
    if (regions.length === 0)
      regions.push({ name: 'only', baseUrl: `${at(port)}${prepared.path ?? ''}` });
    const target = join(folder, 'target.yaml');
    const name = `${other.name} ${other.version}`;
    writeFileSync(
      target,
      stringify({ name, regions, ...prepared.target, limits }, { aliasDuplicateObjects: false }),
    );
    return await run(target, folder);
  } finally {
    await Promise.all(fronts.map((front) => front.close()));
    gateway?.kill();
  }
}

/** `touchstone run`, in a process of its own, as a user has it. Any verdict is a result. */
async function run(target: string, folder: string): Promise<RunResult> {
  const at = (name: string): string => join(folder, name);
  const reports = ['--json', at('report.json'), '--html', at('report.html')];
  const record = ['--record', at('recording.jsonl')];
  const line = ['run', '--target', target, '--seed', '1', ...reports, ...record, '--no-color'];
  const child = spawn(process.execPath, [touchstone, ...line], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => text.push(data));
  child.stderr.on('data', (data: Buffer) => complaint.push(data));
  const [code] = await once(child, 'close');
  writeFileSync(at('report.txt'), Buffer.concat(text));
  if (![0, 1, 2].includes(code)) {
    throw new Error(`touchstone run ended with ${code}:\n${Buffer.concat(complaint)}`);
  }
  return JSON.parse(readFileSync(at('report.json'), 'utf8'));
}
