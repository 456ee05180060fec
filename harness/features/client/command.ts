import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../kernel/wire/index.ts';
import type { CommandRun } from '../sessions/index.ts';

/** Settings of a command: its start, and the conditions that end it. */
interface CommandOptions {
  /** The program, and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text for the standard input, which is closed afterwards. */
  readonly input: string;
  readonly clock: Clock;
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds without traffic after which a running command is ended. */
  readonly quietMs: number;
  readonly stop: AbortSignal;
  /** Connections of the command, as seen by the gateway. */
  readonly line: { readonly open: number; readonly lastAt: number | null };
}

/** Result of a command before its output is parsed. */
export type RawRun = Omit<CommandRun, 'answer' | 'problem'>;

/** The command cannot be started at all. */
export class UnusableCommand extends Error {
  override readonly name = 'UnusableCommand';
}

/** Maximum number of bytes that are kept of its output. */
const mostOutput = 4 * 1024 * 1024;
const keptOfErrors = 8 * 1024;

/** Milliseconds between two checks for inactivity. */
const lookMs = 25;
const enoughLooks = 2;

/** Milliseconds for processes that an ended command has left behind. */
const quietAfterExitMs = 3_000;

/** Milliseconds from the signal that asks a process to end to the one that kills it. */
const graceMs = 500;

/** Process groups to kill when this process exits. */
const groups = new Set<number>();
process.once('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL');
});

/**
 * Starts a command, and waits until it and all processes that hold its output have ended, the line has been quiet,
 * or the timeout elapses. Processes that still run are then ended, including their children.
 *
 * @throws {UnusableCommand} when there is no such program
 */
export async function runCommand(options: CommandOptions): Promise<RawRun> {
  const { command, environment, input, clock, timeoutMs, quietMs, stop, line } = options;
  const [program = '', ...given] = command;
  const startedAt = clock.now();
  const child = spawn(program, given, {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that its children can be ended with it.
    detached: process.platform !== 'win32',
  });
  await started(child, program);
  const { pid = 0 } = child;
  groups.add(pid);
  const stdout = collect(child.stdout, mostOutput, 'beginning');
  const stderr = collect(child.stderr, keptOfErrors, 'end');
  // A command that does not read its input closes it, which is an error for the writer.
  child.stdin.on('error', () => undefined).end(input);
  let exited: number | null = null;
  let closed = false;
  let looksSinceClosed = 0;
  child.once('exit', () => {
    exited = clock.now();
  });
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      closed = true;
      resolve();
    });
  });

  const enough = (): CommandRun['endedBy'] | null => {
    const now = clock.now();
    const quietFor = line.open > 0 ? 0 : now - Math.max(line.lastAt ?? startedAt, startedAt);
    if (exited !== null) {
      if (closed) {
        // The last request may still be arriving: between two polls, everything that has arrived is read.
        const isTaken = looksSinceClosed++ >= enoughLooks && line.open === 0;
        return isTaken || now - exited > quietAfterExitMs ? 'itself' : null;
      }
      const since = Math.min(quietFor, now - exited);
      return since >= Math.min(quietMs, quietAfterExitMs) ? 'itself' : null;
    }
    if (stop.aborted) return 'interruption';
    if (now - startedAt >= timeoutMs) return 'timeout';
    // A command that has sent nothing yet may be slow to start.
    return line.lastAt !== null && quietFor >= quietMs ? 'quiet' : null;
  };

  try {
    let end = enough();
    while (end === null) {
      await changed(gone, closed);
      end = enough();
    }
    if (!closed) await ended(pid, gone);
    return {
      startedAt,
      endedAt: exited ?? clock.now(),
      exit: end === 'itself' ? child.exitCode : null,
      endedBy: end,
      stdout: stdout(),
      stderr: stderr(),
    };
  } finally {
    groups.delete(pid);
  }
}

function started(child: ChildProcess, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT'
          ? 'there is no such program here, nor in PATH'
          : error.code === 'EACCES'
            ? 'it may not be executed'
            : error.message;
      reject(new UnusableCommand(`The command \`${program}\` cannot be started: ${why}.`));
    });
  });
}

/** Resolves a little later, or when the output has ended. */
async function changed(gone: Promise<void>, closed: boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lookMs);
  });
  await (closed ? later : Promise.race([gone, later]));
  clearTimeout(timer);
}

/** Ends a process and its children. */
async function ended(pid: number, gone: Promise<void>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  let last: NodeJS.Timeout | undefined;
  // A process that has left the group may hold the output forever.
  const patience = new Promise<void>((resolve) => {
    last = setTimeout(resolve, 2 * graceMs);
  });
  await Promise.race([gone, patience]);
  clearTimeout(timer);
  clearTimeout(last);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Collects the beginning or the end of a stream, up to a bound. */
function collect(
  stream: NodeJS.ReadableStream,
  most: number,
  keep: 'beginning' | 'end',
): () => string {
  let kept = Buffer.alloc(0);
  stream.on('data', (piece: Buffer) => {
    if (keep === 'end') kept = Buffer.concat([kept, piece]).subarray(-most);
    else if (kept.length < most) kept = Buffer.concat([kept, piece]).subarray(0, most);
  });
  return () => kept.toString();
}
