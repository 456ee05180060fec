import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { CommandError, cut, exitCodes, packageRoot, printable } from '../core/index.ts';
import { leaving, redactText, type Secrets, usePath } from '../redaction/index.ts';

/** Thrown if files of a run could not be written completely. The others were written. */
export class Unwritten extends CommandError {
  override readonly name = 'Unwritten';
  override readonly exitCode = exitCodes.broken;

  constructor(problems: readonly string[]) {
    super(
      `${problems.join('\n')}\nAll else is written. That says nothing about the gateway: its verdict is printed above.`,
    );
  }
}

/** Thrown if the command was called in an invalid way. */
export class UsageError extends CommandError {
  override readonly name: string = 'UsageError';
}

/** Notes a path that is read or written. @throws {UsageError} if an output is another output or an input */
export function assertApart(...used: Parameters<typeof usePath>): void {
  const problem = usePath(...used);
  if (problem !== null) throw new UsageError(problem);
}

interface Failure {
  readonly exitCode: number;
  /** Message for standard error; empty if there is nothing left to report. */
  readonly message: string;
}

/** Longest message of an error, in characters. */
const longestMessage = 16_384;

/** Returns the exit code and the message of a command that failed with this error. */
export function failureOf(error: unknown, secrets: Secrets = {}): Failure {
  if (error instanceof CommanderError) {
    // Help and version end like this, too; Commander has printed all messages.
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, message: '' };
  }
  if (error instanceof CommandError) {
    // The message may quote what a file, a client or a gateway says.
    return { exitCode: error.exitCode, message: printable(cut(error.message, longestMessage)) };
  }
  const code = machineCodeIn(error);
  const message = code === null ? ownFault(error) : ownMachine(code, error);
  return {
    exitCode: exitCodes.broken,
    message: leaving(redactText(message, secrets), 'standard error'),
  };
}

/** Resources that the machine of Touchstone may lack, and what to do about it. */
const shortOf: Readonly<Record<string, string>> = {
  EMFILE: 'too few open files are allowed: raise `ulimit -n`',
  ENFILE: 'it has too many files open',
  ENOSPC: 'a disk is full',
  EDQUOT: 'the quota of a disk is used up',
  EROFS: 'a disk can only be read',
  EIO: 'a disk or a terminal is gone',
  ENOMEM: 'too little memory is left',
  ENOBUFS: 'too little memory is left for connections',
  EAGAIN: 'too few processes or threads are allowed',
  ERR_WORKER_OUT_OF_MEMORY: 'a judging thread ran out of memory',
  uv_cwd: 'the working folder is gone: start it in another',
};

/** Returns the code of an error that the local machine caused, or null. */
function machineCodeIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall }: NodeJS.ErrnoException = error;
  const named = [syscall, code].find((one) => one !== undefined && Object.hasOwn(shortOf, one));
  return named ?? machineCodeIn(error.cause);
}

function ownMachine(code: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (
    `This machine kept Touchstone from its work: ${shortOf[code]} (${text}).\n` +
    'That says nothing about the gateway.'
  );
}

function ownFault(error: unknown): string {
  return (
    `Touchstone crashed. This is a bug in Touchstone, not in the gateway.\n` +
    `Please report it${reportTo()}, with the command line and these lines:\n\n` +
    `touchstone ${packageFile().version}, Node ${process.version}, ${process.platform}\n${chain(error)}`
  );
}

function chain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${chain(error.cause)}`;
}

function reportTo(): string {
  const { bugs } = packageFile();
  return bugs === undefined ? ' to its maintainers' : ` at ${bugs.url}`;
}

function packageFile(): { version: string; bugs?: { url: string } } {
  try {
    return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  } catch {
    // The original error may also be the reason why the file cannot be read.
    return { version: '(unknown version)' };
  }
}
