import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../kernel/core/index.ts';
import type { Prepared } from './gateway.ts';

/** Milliseconds that a gateway may take until it listens. */
const patience = 30_000;
const loopback = pathToFileURL(codeFile('harness/lab/others/loopback')).href;

/** A port that was free just now. Most of these gateways cannot be asked to choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a gateway that was prepared for a port, in a working folder of its own; resolves when it
 * listens there. Throws with the end of what it said when it ends instead, or keeps silent.
 */
export async function start(
  { program, parameters = [], environment = {}, files = {} }: Prepared,
  { installed, folder, port }: { installed: string; folder: string; port: number },
): Promise<ChildProcess> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const log = join(folder, 'log.txt');
  const output = openSync(log, 'w');
  const child = spawn(
    process.execPath,
    ['--import', loopback, programAt(program, installed), ...parameters],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...environment },
      stdio: ['ignore', output, output],
    },
  );
  const until = performance.now() + patience;
  while (!(await listens(port))) {
    const ended = child.exitCode !== null;
    if (ended || performance.now() > until) {
      child.kill();
      const why = ended ? `ended with exit code ${child.exitCode}` : `listens at no port ${port}`;
      throw new Error(`It ${why}. The end of ${log}:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    await pause(50);
  }
  return child;
}

/** A script lies in the folder of the package, so that it finds what is installed. */
function programAt(program: Prepared['program'], installed: string): string {
  if (typeof program === 'string') return join(installed, program);
  const folder = installed.slice(0, installed.lastIndexOf('node_modules'));
  const file = join(folder, 'start.mjs');
  const taken = Object.entries(program.uses).map(
    ([name, pattern]) => `const ${pattern} = await import(${JSON.stringify(name)});\n`,
  );
  writeFileSync(file, taken.join('') + program.lines);
  return file;
}

/** True if something listens on a port of this machine. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
