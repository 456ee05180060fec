import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { RunResult } from '../../core/result.ts';
import type { ReferenceGateway } from '../../reference/index.ts';
import { type StartedFront, startFront } from './front.ts';
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
  const port = await freePort();
  const prepared = other.prepare({ port, upstream });
  const fronts: StartedFront[] = [];
  let gateway: ChildProcess | undefined;
  try {
    gateway = await start(prepared, { installed, folder: work, port });
    for (const front of prepared.fronts ?? []) fronts.push(await startFront(front, port));
    const direct = { region: 'only', baseUrl: `http://127.0.0.1:${port}` };
    const regions = (fronts.length > 0 ? fronts : [direct]).map(({ region, baseUrl }) => ({
      name: region,
      baseUrl,
    }));
    const target = join(folder, 'target.yaml');
    const name = `${other.name} ${other.version}`;
    writeFileSync(target, stringify({ name, regions, ...prepared.target, limits }));
    return await run(target, folder);
  } finally {
    for (const front of fronts) front.close();
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
