import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { codeFile } from '../kernel/core/index.ts';
import type { ExploringTook } from './exploring.ts';

const script = codeFile('harness/lab/exploring');

/** Joint speed of several processes that explored at the same time. */
interface ExploringSpeed {
  readonly acts: number;
  /** Acts of all processes together, per second of elapsed time. */
  readonly actsPerSecond: number;
  /** Processor time of an act, of the gateway that answers it, too. */
  readonly cpuMsPerAct: number;
  readonly finds: number;
}

/** Explores in so many processes at once, each with a reference gateway in it, until each has so many histories. */
export async function exploringSpeed(
  processes: number,
  histories: number,
): Promise<ExploringSpeed> {
  const all = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      exploring(['--histories', String(histories), '--seed', String(index + 1)]),
    ),
  );
  const sum = (of: (one: ExploringTook) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const acts = sum((one) => one.acts);
  return {
    acts,
    actsPerSecond: sum((one) => one.acts / (one.wallMs / 1_000)),
    cpuMsPerAct: sum((one) => one.cpuMs) / acts,
    finds: sum((one) => one.finds),
  };
}

/**
 * Explores a gateway in another process for this number of histories, and measures its memory after a
 * quarter, and at the end.
 */
export function exploringMemory(targetFile: string, histories: number): Promise<ExploringTook> {
  return exploring(['--target', targetFile, '--histories', String(histories)]);
}

async function exploring(line: readonly string[]): Promise<ExploringTook> {
  const child = spawn(process.execPath, ['--expose-gc', script, ...line], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`exploring ended with ${code}`);
  return JSON.parse(said);
}

/**
 * Processor time in milliseconds of one request over HTTP, of client and server together, that neither reads nor
 * judges anything: machines differ, and what an act takes is told in these, too.
 */
export async function plainRequestMs(requests: number): Promise<number> {
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
    for (let sent = 0; sent < count; sent += 1) {
      const got = await pool.request({ path: '/v1/responses', method: 'POST', body });
      JSON.parse(await got.body.text());
    }
  };
  const sendAll = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 4 }, () => send(requests / 4)));
  // Warms up: before, the compiler takes more time than the program.
  await sendAll();
  const before = process.cpuUsage();
  await sendAll();
  const { user, system } = process.cpuUsage(before);
  await pool.close();
  server.close();
  return (user + system) / 1_000 / requests;
}
