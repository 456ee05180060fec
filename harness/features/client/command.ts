import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject, parsed } from '../../kernel/core/index.ts';
import type { Clock } from '../../kernel/wire/index.ts';
import type { CommandRun } from '../sessions/index.ts';

/** Settings of a command: its start, and the conditions that end it. */
interface CommandOptions {
  /** The program, and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text for the standard input. */
  readonly input: string;
  /** Key that the start is told. */
  readonly key: string;
  /** True if the command reads tasks. */
  readonly tasks: boolean;
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

/** Result of one task or start, and facts about the process that did it. */
interface CommandEnd {
  readonly raw: RawRun;
  /** Keys of all tasks of the process, any of which its output may show. */
  readonly keys: readonly string[];
  /** True if a process that takes many tasks ended or hung: another task may be the cause. */
  readonly isDoubtful: boolean;
}

/** Starts a command. A driver that can take many tasks keeps its process for the next one. */
export class Command {
  readonly #idle: Program[] = [];
  #takesMany = false;

  /**
   * Runs one start to its end: until the process and all that hold its output have ended, or the task is answered,
   * and the line has been quiet, or the timeout elapses. Processes that still run without an answer are then ended,
   * including their children.
   *
   * @param isAlone true for a process that does nothing else
   * @throws {UnusableCommand} when there is no such program
   */
  async run(options: CommandOptions, isAlone = false): Promise<CommandEnd> {
    const { clock, input, key, tasks, timeoutMs, quietMs, stop, line } = options;
    const stays = this.#takesMany && !isAlone;
    const idle = stays ? this.#idle.splice(0).filter(({ exited }) => exited === null) : [];
    const program = idle.pop() ?? (await Program.start(options));
    this.#idle.push(...idle);
    const startedAt = clock.now();
    program.begin(input, key, stays);
    let looksSinceClosed = 0;

    const enough = (): CommandRun['endedBy'] | null => {
      const now = clock.now();
      const quietFor = line.open > 0 ? 0 : now - Math.max(line.lastAt ?? startedAt, startedAt);
      const { endedAt, isClosed } = program;
      if (endedAt !== null) {
        if (isClosed) {
          // The last request may still be arriving: between two polls, everything that has arrived is read.
          const isTaken = looksSinceClosed++ >= enoughLooks && line.open === 0;
          return isTaken || now - endedAt > quietAfterExitMs ? 'itself' : null;
        }
        const since = Math.min(quietFor, now - endedAt);
        return since >= Math.min(quietMs, quietAfterExitMs) ? 'itself' : null;
      }
      if (stop.aborted) return 'interruption';
      if (now - startedAt >= timeoutMs) return 'timeout';
      // A command that has sent nothing yet may be slow to start.
      return line.lastAt !== null && quietFor >= quietMs ? 'quiet' : null;
    };

    let endedBy = enough();
    while (endedBy === null) {
      await program.changed();
      endedBy = enough();
    }
    const isReady = endedBy === 'itself' && program.exited === null;
    if (isReady) this.#idle.push(program);
    else await program.end();
    const printed = program.stdout.text();
    const isHello = tasks && saysMany(printed);
    this.#takesMany ||= isHello;
    const stdout = isHello ? printed.slice(printed.indexOf('\n') + 1) : printed;
    const exit = isReady ? 0 : endedBy === 'itself' ? program.exitCode : null;
    const endedAt = program.endedAt ?? clock.now();
    const raw = { startedAt, endedAt, exit, endedBy, stdout, stderr: program.stderr.text() };
    return { raw, keys: [...program.keys], isDoubtful: stays && !program.isAnswered };
  }

  /** Ends the processes that wait for a task. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((program) => program.end()));
  }
}

/** Line with which a driver begins that takes many tasks. */
function saysMany(stdout: string): boolean {
  const [first = ''] = stdout.split('\n', 1);
  const value = parsed(first);
  return isObject(value) && value.many === true;
}

function isAnswerLine(line: string): boolean {
  return line.trimStart().startsWith('{') && isObject(parsed(line)) && !saysMany(line);
}

/** One process of the command, and the output of its present task. */
class Program {
  readonly keys: string[] = [];
  readonly stdout: Collected;
  readonly stderr: Collected;
  exited: number | null = null;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #gone: Promise<void>;
  #isClosed = false;
  #answeredAt: number | null = null;
  #stays = false;

  private constructor(child: ChildProcessWithoutNullStreams, clock: Clock) {
    this.#child = child;
    groups.add(child.pid ?? 0);
    this.stdout = collect(child.stdout, mostOutput, 'beginning');
    this.stderr = collect(child.stderr, keptOfErrors, 'end');
    // A command that does not read its input closes it, which is an error for the writer.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (piece: Buffer) => {
      if (!this.#stays || this.#answeredAt !== null || !piece.includes('\n')) return;
      const lines = this.stdout.text().split('\n').slice(0, -1);
      if (lines.some(isAnswerLine)) this.#answeredAt = clock.now();
    });
    child.once('exit', () => {
      this.exited = clock.now();
    });
    this.#gone = once(child, 'close').then(() => {
      this.#isClosed = true;
      groups.delete(child.pid ?? 0);
    });
  }

  /** @throws {UnusableCommand} when there is no such program */
  static async start({ command, environment, clock }: CommandOptions): Promise<Program> {
    const [program = '', ...given] = command;
    const child = spawn(program, given, {
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, so that its children can be ended with it.
      detached: process.platform !== 'win32',
    });
    await started(child, program);
    return new Program(child, clock);
  }

  get isAnswered(): boolean {
    return this.#answeredAt !== null;
  }

  get endedAt(): number | null {
    return this.exited ?? this.#answeredAt;
  }

  /** True if no further output of the task can come. */
  get isClosed(): boolean {
    return this.#isClosed || (this.exited === null && this.isAnswered);
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** @param stays true if the input stays open for further tasks */
  begin(input: string, key: string, stays: boolean): void {
    this.keys.push(key);
    this.#answeredAt = null;
    this.stdout.clear();
    this.stderr.clear();
    this.#stays = stays;
    this.#child.stdin.write(input);
    if (!stays) this.#child.stdin.end();
  }

  /** Resolves a little later, or when the output has ended. */
  async changed(): Promise<void> {
    await (this.#isClosed ? delay(lookMs) : Promise.race([this.#gone, delay(lookMs)]));
  }

  /** Ends the process and its children. A process that has left the group may hold the output forever. */
  async end(): Promise<void> {
    const { pid = 0 } = this.#child;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.#isClosed) return;
      signalGroup(pid, signal);
      await Promise.race([this.#gone, delay(graceMs, undefined, { ref: false })]);
    }
    groups.delete(pid);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }
}

async function started(child: ChildProcess, program: string): Promise<void> {
  await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT'
        ? 'there is no such program here, nor in PATH'
        : error.code === 'EACCES'
          ? 'it may not be executed'
          : error.message;
    throw new UnusableCommand(`The command \`${program}\` cannot be started: ${why}.`);
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Output of a process since its last task began. */
interface Collected {
  text(): string;
  clear(): void;
}

/** Collects the beginning or the end of a stream, up to a bound. */
function collect(
  stream: NodeJS.ReadableStream,
  most: number,
  keep: 'beginning' | 'end',
): Collected {
  let kept = Buffer.alloc(0);
  stream.on('data', (piece: Buffer) => {
    if (keep === 'end') kept = Buffer.concat([kept, piece]).subarray(-most);
    else if (kept.length < most) kept = Buffer.concat([kept, piece]).subarray(0, most);
  });
  return {
    text: () => kept.toString(),
    clear() {
      kept = Buffer.alloc(0);
    },
  };
}
