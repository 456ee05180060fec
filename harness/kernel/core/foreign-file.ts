import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { CommandError } from './command-error.ts';
import { exitCodes } from './verdict.ts';

/** Limits of a file that a stranger may have written. It is measured before it is parsed. */
export interface Budget {
  readonly bytes: number;
  /** Maximum time for reading a pipe, in milliseconds. Its writer may ask its user for a passphrase. */
  readonly pipeMs?: number;
  /** Line ends, brackets, commas and colons: an upper bound of the number of values. */
  readonly things: number;
}

const MiB = 1024 * 1024;

export const budgets = {
  /** Files that people write, such as target files, and small files of a bundle. */
  small: { bytes: MiB, things: 50_000 },
  report: { bytes: 32 * MiB, things: 4_000_000 },
  /** One exchange of a bundle, or of a HAR file. */
  exchange: { bytes: 64 * MiB, things: 2_000_000 },
} as const satisfies Record<string, Budget>;

/** A file cannot be read as text, or is over a limit. The message is a sentence about it. */
export class UnfitFile extends CommandError {
  override readonly name = 'UnfitFile';
  override readonly exitCode: number;
  /** True if it is over a limit, so that nothing is known of its content. */
  readonly isOver: boolean;

  constructor(message: string, isOver = true) {
    super(message);
    this.isOver = isOver;
    this.exitCode = isOver ? exitCodes.unjudged : exitCodes.usage;
  }
}

/** Pipes that a shell hands over, such as `<(…)`: their writer is a command of the user. */
const ownPipe = /^\/(?:dev|proc\/self)\/(?:stdin|fd\/\d+)$/;

/**
 * Opens a file of a stranger without blocking: nobody may write to a named pipe, and a device has no end.
 *
 * @param isPipeToo accepts a pipe that a shell hands over, for what is read once
 * @throws {UnfitFile} if it is no regular file
 */
export function openForeign(path: string, isPipeToo = false): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = fstatSync(file);
  // Reading a folder fails at once, and its error names the remedy.
  if (found.isFile() || found.isDirectory()) return file;
  if (isPipeToo && found.isFIFO() && ownPipe.test(resolve(path))) return file;
  closeSync(file);
  throw new UnfitFile('This is no regular file: save its content as one, and name that.', false);
}

const never = new Int32Array(new SharedArrayBuffer(4));

function readPiece(file: number, piece: Buffer, until: number): number {
  for (;;) {
    try {
      return readSync(file, piece);
    } catch (error) {
      if (Object(error).code !== 'EAGAIN') throw error;
      if (Date.now() > until) throw new UnfitFile('It is a pipe that does not end: save a file.');
      Atomics.wait(never, 0, 0, 10);
    }
  }
}

type Length = Pick<Budget, 'bytes' | 'pipeMs'>;

/** Reads a text file of a stranger. @throws {UnfitFile} if it is longer than the limit, or no text in UTF-8 */
export function readForeign(path: string, { bytes: most, pipeMs = 30_000 }: Length): string {
  const pieces: Buffer[] = [];
  let length = 0;
  const until = Date.now() + pipeMs;
  const file = openForeign(path, true);
  try {
    for (let read = 1; read > 0 && length <= most; length += read) {
      const piece = Buffer.alloc(64 * 1024);
      read = readPiece(file, piece, until);
      pieces.push(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  if (length > most) throw new UnfitFile(`It has more than ${most} bytes, which are the most.`);
  const content = Buffer.concat(pieces);
  // Else the longest file would be in memory three times.
  pieces.length = 0;
  // The longest file would be in memory three times.
  pieces.length = 0;
  const why = whyNoText(content);
  if (why !== null) throw new UnfitFile(why, false);
  return content.toString();
}

function whyNoText(content: Buffer): string | null {
  const start = content.toString('hex', 0, 2);
  if (start === '1f8b') return 'It is compressed with gzip: unpack it first.';
  if (start === 'fffe' || start === 'feff') return 'It is written in UTF-16: save it as UTF-8.';
  if (!isUtf8(content)) return 'It is not written in UTF-8: save it as that.';
  const at = content.indexOf(0);
  return at < 0 ? null : `It has a NUL character, at byte ${at + 1}: it is not a text.`;
}

const working = new Script('work()');

/** Maximum time of the processor for parsing a file that people write, in milliseconds. */
const parsingMs = 10_000;

/** Does work that takes milliseconds for any honest file. @throws {UnfitFile} if it takes too long */
export function inTime<T>(work: () => T, mostMs = parsingMs): T {
  for (let timeout = mostMs; ; timeout *= 4) {
    const began = process.cpuUsage();
    try {
      return working.runInContext(createContext({ work }), { timeout });
    } catch (error) {
      if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(began);
      // On a busy machine the process may have got no time.
      if (user + system < mostMs * 500) continue;
      throw new UnfitFile(`It takes longer than ${mostMs} ms to read, and no honest file does.`);
    }
  }
}
