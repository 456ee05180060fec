import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../kernel/core/index.ts';
import { listens } from '../others/start.ts';
import type { ServerUsage } from './meter.ts';

const meter = pathToFileURL(codeFile('harness/lab/bench-serve/meter')).href;
/** Milliseconds that a server may take until it listens. */
const patience = 30_000;

export interface Measured {
  readonly port: number;
  /** Resources that its process has used so far. */
  usage(): Promise<ServerUsage>;
  end(): void;
}

/**
 * Starts a server that is told its port, in a process that can be measured; resolves when it listens.
 *
 * @param flags of Node.js itself
 */
export async function startMeasured(
  port: number,
  [program, ...parameters]: readonly [string, ...string[]],
  { cwd, environment = {}, flags = [] }: StartOptions = {},
): Promise<Measured> {
  const child = spawn(process.execPath, [...flags, '--import', meter, program, ...parameters], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const until = performance.now() + patience;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill();
      throw new Error(`${program} does not listen at port ${port}.`);
    }
    await pause(50);
  }
  return {
    port,
    usage: () => usageOf(child),
    end: () => void child.kill(),
  };
}

interface StartOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

async function usageOf(child: ChildProcess): Promise<ServerUsage> {
  const told = once(child, 'message');
  child.send('usage');
  const [usage] = await told;
  return usage;
}
