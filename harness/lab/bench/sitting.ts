import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import type { RunResult } from '../../kernel/core/index.ts';

/** Resources of one process: seconds of processor time on all cores, and peak memory in megabytes. */
interface Footprint {
  readonly cpu: number;
  readonly peak: number;
}

/** A footprint beside the processor time of an empty process, measured just before and after: machines change their speed within a sitting. */
export interface Compared extends Footprint {
  readonly empty: number;
}

interface RunFootprint extends Compared {
  readonly requests: number;
  /** Processor time of client and server for one request that nobody reads or judges, measured just before and after. */
  readonly bareRequest: number;
}

/** Measurements of one build in one sitting. Times are in seconds. */
export interface Sitting {
  /** An empty process of Node. */
  readonly empty: Footprint;
  readonly help: Compared;
  readonly list: Compared;
  readonly oneCheck: Compared;
  readonly whole: RunFootprint;
  /** A run at a gateway that answers after 100 ms, without a limit of concurrency: its span and its longest chain. */
  readonly delayed: { readonly span: number; readonly chain: number };
  /** Absent in a gate. */
  readonly further?: Further;
}

interface Further {
  readonly recheck: Compared;
  /** An exploration and the processor time of the gateway that it explored, a process of its own. */
  readonly explore: Footprint & { readonly acts: number; readonly gateway: number };
}

/** A place to measure in. */
interface Place {
  readonly folder: string;
  /** Runs of each quick process; the least ratio counts. */
  readonly runs: number;
}

const emptyLine = ['-e', '0'];
const delayMs = 100;
const checkLine = ['demo', 'models/list.shape', '--seed', '1', '--quiet'];

/**
 * Measures a build.
 *
 * @param script its `main.js`
 * @param further whether figures are measured that a gate does not hold
 */
export async function measure(script: string, place: Place, further: boolean): Promise<Sitting> {
  const ofCommand = (...line: string[]) => least(place, [script, ...line]);
  const inMost = (runs: number): Place => ({ ...place, runs: Math.min(place.runs, runs) });
  return {
    empty: await least(place, emptyLine),
    help: await ofCommand('--help'),
    list: await ofCommand('list'),
    oneCheck: await ofCommand(...checkLine),
    whole: await wholeRun(script, inMost(3)),
    delayed: await delayedRun(script, place),
    ...(further
      ? {
          further: {
            recheck: await least(inMost(1), [script, 'recheck', recording(place), '--quiet']),
            explore: await exploration(script, place),
          },
        }
      : {}),
  };
}

/** Returns the run with the least ratio to the empty processes around it. */
async function least(place: Place, line: readonly string[]): Promise<Compared> {
  const all: Compared[] = [];
  for (let run = 0; run < place.runs; run++) {
    const empties: number[] = [];
    const measureEmpty = async () => empties.push((await footprint(place, emptyLine)).cpu);
    for (let before = 0; before < 3; before++) await measureEmpty();
    const used = await footprint(place, line);
    for (let after = 0; after < 2; after++) await measureEmpty();
    all.push({ ...used, empty: empties.sort((a, b) => a - b)[2] as number });
  }
  return all.sort((a, b) => a.cpu / a.empty - b.cpu / b.empty)[0] as Compared;
}

async function footprint(place: Place, line: readonly string[]): Promise<Footprint> {
  const { child, used } = metered(place, line);
  const [code] = await once(child, 'exit');
  // 2: the verdict of a run of some checks only.
  if (code !== 0 && code !== 2) throw new Error(`${line.join(' ')} ended with ${code}`);
  return used();
}

let processes = 0;

/** Starts a process of Node that leaves the resources that it used. */
function metered(
  { folder }: Place,
  line: readonly string[],
): { readonly child: ChildProcess; used(): Footprint } {
  const figures = join(folder, `used-${processes++}.json`);
  const meter = join(folder, 'meter.cjs');
  writeFileSync(
    meter,
    `process.on('exit', () =>
       require('node:fs').writeFileSync(process.env.FIGURES, JSON.stringify(process.resourceUsage())));`,
  );
  const child = spawn(process.execPath, ['--require', meter, ...line], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, FIGURES: figures },
  });
  child.stdout.resume();
  return {
    child,
    used: () => {
      const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(
        readFileSync(figures, 'utf8'),
      );
      return { cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
    },
  };
}

const recording = ({ folder }: Place): string => join(folder, 'run.jsonl');
const reportIn = ({ folder }: Place): string => join(folder, 'report.json');

async function wholeRun(script: string, place: Place): Promise<RunFootprint> {
  const files = ['--json', reportIn(place), '--record', recording(place)];
  const line = [script, 'run', '--reference', 'embedded', '--seed', '1', '--quiet', ...files];
  const before = await bareRequest(10_000);
  const used = await least(place, line);
  const around = (before + (await bareRequest(10_000))) / 2;
  return { ...used, requests: trafficIn(place).requests, bareRequest: around };
}

function trafficIn(place: Place): RunResult['traffic'] {
  return JSON.parse(readFileSync(reportIn(place), 'utf8')).traffic;
}

async function delayedRun(script: string, place: Place): Promise<Sitting['delayed']> {
  return atGateway(script, place, delayMs, async (target) => {
    const limits = { concurrency: 1_000, requestsPerSecond: null, patienceMs: 10_000 };
    const file = join(place.folder, 'unbounded.yaml');
    writeFileSync(file, stringify({ ...parse(readFileSync(target, 'utf8')), limits }));
    const report = ['--seed', '1', '--quiet', '--json', reportIn(place)];
    await footprint(place, [script, 'run', '--target', file, ...report]);
    const { spanMs, longestChainMs } = trafficIn(place);
    return { span: spanMs / 1_000, chain: longestChainMs / 1_000 };
  }).then(({ result }) => result);
}

async function exploration(script: string, place: Place): Promise<Further['explore']> {
  const { result, gateway } = await atGateway(script, place, 0, async (target) => {
    const bounds = ['--requests', '1000', '--generations', '100000', '--rps', '100000'];
    const line = ['explore', '--target', target, '--seed', '1', ...bounds];
    const used = await footprint(place, [script, ...line, '--json', reportIn(place)]);
    return { ...used, acts: Number(JSON.parse(readFileSync(reportIn(place), 'utf8')).acts) };
  });
  return { ...result, gateway };
}

/** Runs a task with the target file of a gateway that runs, and returns the gateway's processor time as well. */
async function atGateway<Result>(
  script: string,
  place: Place,
  latencyMs: number,
  task: (target: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly gateway: number }> {
  const target = join(place.folder, 'gateway.yaml');
  const serve = ['serve', '--port', '0', '--latency-ms', String(latencyMs)];
  const { child, used } = metered(place, [script, ...serve, '--write-target', target]);
  try {
    await once(child.stdout ?? child, 'data');
    const result = await task(target);
    child.kill('SIGINT');
    await once(child, 'exit');
    return { result, gateway: used().cpu };
  } finally {
    child.kill();
  }
}

/** The whole package: the bundle has a part of it. */
const { Pool }: typeof import('undici') = createRequire(import.meta.url)('undici');

/** Returns the seconds of processor time of one request over HTTP, of client and server together. */
async function bareRequest(requests: number): Promise<number> {
  const answer = JSON.stringify({ text: 'x'.repeat(1_000) });
  const server = createServer(async (request, response) => {
    await text(request);
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 4 });
  const body = JSON.stringify({ input: 'x'.repeat(300) });
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) {
      const got = await pool.request({ path: '/v1/responses', method: 'POST', body });
      JSON.parse(await got.body.text());
    }
  };
  const sendAll = () => Promise.all(Array.from({ length: 4 }, () => send(requests / 4)));
  // Compilation takes more time than the first requests.
  await sendAll();
  const before = process.cpuUsage();
  await sendAll();
  const { user, system } = process.cpuUsage(before);
  await pool.close();
  server.close();
  return (user + system) / 1e6 / requests;
}
