import { basename, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { exitCodes, WithoutLogCommands } from '../core/index.ts';
import { LeavingInPieces } from '../redaction/index.ts';

/** Destination of a command's output. `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  /** Writes commands for a pipeline, such as annotations, unescaped. Default: `write`. */
  commands?(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Environment of a command: its outputs, variables, and the user's interruptions. */
export interface Terminal {
  /** The result. */
  readonly stdout: Output;
  /** Everything else: progress, errors. */
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Command that starts Touchstone, for lines to copy. Default: `touchstone`. */
  readonly program?: string;
  /** Folder in which default files are looked up. Default: the folder of the process. */
  readonly folder?: string;
  /** Calls back on Ctrl-C and on loss of the terminal, until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Calls back with each typed line, until the returned function is called. Absent without input. */
  readonly onLine?: (listener: (line: string) => void) => () => void;
}

export function processTerminal(): Terminal {
  const program = programOf(process.argv[1] ?? '', process.env);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!readerHasLeft.test(error.code ?? '')) unprinted ??= error;
  });
  // An error of standard error cannot be reported anywhere.
  process.stderr.on('error', () => undefined);
  return {
    stdout: guarded(process.stdout, 'standard output', (text) => text),
    // Standard output may be data and is not changed. Command lines in messages start with the user's command.
    stderr: guarded(process.stderr, 'standard error', (text) => inOurTexts(text, program)),
    environment: process.env,
    program,
    onInterrupt(listener) {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.removeListener(signal, listener);
      };
    },
    ...(process.stdin.isTTY === true ? { onLine: linesOfInput } : {}),
  };
}

/** A reader that has read enough is no error: `touchstone list | head`, or a closed terminal. */
const readerHasLeft = /^(EPIPE|EIO|ERR_STREAM_DESTROYED)$/;

/**
 * Error that prevented a part of standard output from being written. The run continues, because reports are still
 * to be written.
 */
let unprinted: Error | undefined;

/**
 * Waits until everything is printed.
 *
 * @param code exit code of the command
 * @returns the exit code: another one if a part of the result could not be printed
 */
export async function flushed(code: number): Promise<number> {
  await new Promise<void>((written) => {
    process.stdout.write('', () => written());
  });
  if (unprinted === undefined) return code;
  process.stderr.write(
    `Not everything could be written to standard output: ${unprinted.message}\n`,
  );
  return exitCodes.broken;
}

/** Wraps an output of this process: masks secrets, and escapes commands of pipelines. */
function guarded(
  stream: NodeJS.WriteStream,
  name: string,
  worded: (text: string) => string,
): Output {
  const leaving = new LeavingInPieces(name);
  const inLog = new WithoutLogCommands();
  const commands = (text: string): unknown => stream.write(leaving.next(worded(text)));
  process.once('exit', () => {
    const rest = leaving.rest();
    if (rest !== '') stream.write(rest);
  });
  return {
    write: (text) => stream.write(inLog.next(leaving.next(worded(text)))),
    commands,
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

/**
 * Adapts command lines in a text so that they can be copied: `touchstone run` is replaced for a user who typed `npx
 * gateway-touchstone`, and may not have `touchstone`.
 */
export function inOurTexts(text: string, program = 'touchstone'): string {
  return text.replace(/(?<=^|[\s`'"(])touchstone(?= [a-z<[-])/gm, program);
}

/**
 * Returns the command that started Touchstone.
 *
 * @param script the path of the script that Node runs
 */
export function programOf(script: string, { npm_command }: Terminal['environment']): string {
  // Installed in a project, or run by npx, which sets this variable, too.
  if (npm_command === 'exec' || /[\\/]node_modules[\\/]/.test(script)) {
    return 'npx --no gateway-touchstone';
  }
  const name = basename(script);
  if (name === 'touchstone' || name === 'gateway-touchstone') return name;
  const path = relative(process.cwd(), script);
  return `node ${path.startsWith('..') ? script : path}`;
}

function linesOfInput(listener: (line: string) => void): () => void {
  // A previous listener may have unreferenced the input.
  process.stdin.ref();
  // No raw mode, so that Ctrl-C remains a signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', listener);
  return () => {
    lines.close();
    process.stdin.unref();
  };
}

/**
 * True if output may be coloured: NO_COLOR and `--no-color` forbid it, FORCE_COLOR demands it, and
 * otherwise only terminals get colours.
 */
export function wantsColour(output: Output, environment: Terminal['environment']): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return output.isTTY === true && TERM !== 'dumb';
}
