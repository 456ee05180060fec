import { exitCodes } from './verdict.ts';

/** An error whose message tells the user what to do, without a stack. It ends a command with its exit code. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  /** Default: wrong usage. */
  readonly exitCode: number = exitCodes.usage;
}
