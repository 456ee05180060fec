import { exitCodes } from './verdict.ts';

/** An error whose message tells the user what to do. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  /** Default: wrong usage. */
  readonly exitCode: number = exitCodes.usage;
}
