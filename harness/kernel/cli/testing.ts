import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../core/package-root.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { listening } from '../wire/testing-server.ts';
import { touchstone } from './program.ts';

/** Test helpers that run the command as users have it, compiled and in a separate process, or in this process. */

const script = join(packageRoot, 'dist', 'harness', 'main.js');

/** Keys that no output may contain. */
export const canaryKeys = {
  owner: 'canary-owner-5b1f0c',
  sameUser: 'canary-same-8d2e4a',
  otherUser: 'canary-other-77aa10',
  restricted: 'canary-restricted-e90d3c',
};

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Measured extends Ended {
  /** Peak memory of the process in bytes; null if the system does not report it. */
  readonly memory: number | null;
}

export interface Called extends Ended {
  readonly code: number;
}

export interface Started {
  /** Output so far. */
  readonly written: { readonly out: string; readonly err: string };
  readonly ended: Promise<Measured>;
  interrupt(): void;
}

/** Starts the command. @param line arguments without spaces in them */
export function start(line: string, environment: Record<string, string | undefined> = {}): Started {
  if (!existsSync(script)) throw new Error(`There is no ${script}: run \`npm run build\` first`);
  const child = spawn(process.execPath, [script, ...line.split(' ')], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = writtenBy(child);
  let memory: number | null = null;
  const watch = setInterval(() => (memory = mostMemory(child.pid) ?? memory), 50);
  const ended = new Promise<Measured>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(watch);
      resolve({ code, ...written, memory });
    });
  });
  return { written, ended, interrupt: () => void child.kill('SIGINT') };
}

/** Collects the output of a process. */
export function writtenBy(child: ChildProcess): { out: string; err: string } {
  const text = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (text.out += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (text.err += chunk));
  return text;
}

export function call(line: string, environment?: Record<string, string | undefined>) {
  return start(line, environment).ended;
}

/**
 * Runs the command in this thread, without starting a process: for tests that concern neither the process nor its
 * threads.
 *
 * @param line arguments, or one text of arguments without spaces in them
 * @param folder in which the command looks up default files
 */
export async function inProcess(
  line: string | readonly string[],
  environment: Record<string, string | undefined> = {},
  folder?: string,
): Promise<Called> {
  const terminal = memoryTerminal(environment, folder);
  const words = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  return { code: await touchstone(words, terminal), ...terminal.written };
}

/** Returns the peak memory so far, which Linux keeps for each process. */
function mostMemory(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

/** Starts a gateway that lists one model, `m`, and leaves all other requests to the test. */
export async function oddGateway(
  listener: RequestListener,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, answer) => {
    if (request.method !== 'GET' || request.url !== '/v1/models') {
      request.resume();
      listener(request, answer);
      return;
    }
    answer.setHeader('Content-Type', 'application/json');
    answer.end('{"object":"list","data":[{"id":"m","object":"model"}]}');
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${await listening(server)}`, close };
}

/** Rows on undeclared features. Nothing is sent for them if a target file declares everything. */
export const ofLessDeclared = [
  'access/capabilities.undeclared-but-served:',
  'access/protocols.left-out:',
];
