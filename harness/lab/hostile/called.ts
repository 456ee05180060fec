import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';

const compiled = join(packageRoot, 'dist', 'harness', 'main.js');

export interface Called {
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly printed: string;
  /** Violations of what holds for every command. */
  readonly problems: readonly string[];
}

interface CommandLimits {
  readonly mostSeconds: number;
  readonly mostMegabytes?: number;
  readonly exitCodes?: readonly (number | null)[];
  readonly env?: Readonly<Record<string, string>>;
  /** Script of `sh` that starts the command, which is `"$@"`. */
  readonly script?: string | undefined;
  /** Signal that a command gets if it goes on for so long. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly afterMs: number };
}

export async function called(
  line: readonly string[],
  { mostSeconds, mostMegabytes = 300, exitCodes, env = {}, script, signal }: CommandLimits,
): Promise<Called> {
  const began = performance.now();
  const command = [process.execPath, compiled, ...line];
  const [program = '', ...words] =
    script === undefined ? command : ['sh', '-c', script, 'sh', ...command];
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  }
  let megabytes = 0;
  const look = setInterval(() => (megabytes = memoryOf(child.pid) ?? megabytes), 40);
  let late = false;
  const end = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, mostSeconds * 1_000);
  const told = setTimeout(() => child.kill(signal?.name), signal?.afterMs ?? 2 ** 31 - 1);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(look);
  clearTimeout(end);
  clearTimeout(told);
  const commands =
    printed.match(/^\s*(::(?!error |warning |notice |stop-commands)\S*|##(vso)?\[.*)/gm) ?? [];
  const [what = ''] = line;
  const problems = [
    ...(late ? [`${what} had not ended after ${mostSeconds} s`] : []),
    ...commands.map((one) => `${what} printed the command ${one.trim().slice(0, 80)}`),
    ...(late || (exitCodes?.includes(code) ?? true)
      ? []
      : [`${what} ended with ${code}: ${printed.slice(-600)}`]),
    ...(megabytes > mostMegabytes ? [`${what} held ${megabytes} MB`] : []),
  ];
  return { code, seconds: (performance.now() - began) / 1_000, megabytes, printed, problems };
}

/** The most that a process has held so far, where the system tells. */
export function memoryOf(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  } catch {
    return null;
  }
}
