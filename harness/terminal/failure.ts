import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { BadKey } from '../certificate/keys.ts';
import { UnknownRequirement } from '../core/catalogue.ts';
import { MissingPackage } from '../core/optional-package.ts';
import { packageRoot } from '../core/package-root.ts';
import { exitCodes } from '../core/verdict.ts';
import { BadRecording } from '../engine/recordings/recording.ts';
import { Unreachable } from '../target/reachable.ts';
import { TargetError } from '../target/target-error.ts';
import { redactText, type Secrets } from '../wire/redact.ts';

/** The command was called in a way that makes no sense. It exits with 3. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export interface Failure {
  readonly exitCode: number;
  /** For standard error; empty when all has been said. */
  readonly message: string;
}

/** What a command that could not do its work exits with, and says. */
export function failureOf(error: unknown, secrets: Secrets = {}): Failure {
  if (error instanceof CommanderError) {
    // Help and version end like this too; Commander has written what there is to say.
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, message: '' };
  }
  if (
    error instanceof UsageError ||
    error instanceof TargetError ||
    error instanceof UnknownRequirement ||
    error instanceof BadRecording ||
    error instanceof BadKey ||
    error instanceof MissingPackage
  ) {
    return { exitCode: exitCodes.usage, message: error.message };
  }
  if (error instanceof Unreachable) {
    return { exitCode: exitCodes.unreachable, message: error.message };
  }
  return { exitCode: exitCodes.broken, message: redactText(ownFault(error), secrets) };
}

function ownFault(error: unknown): string {
  return (
    `Touchstone crashed. This is a bug in Touchstone, not in the gateway.\n` +
    `Please report it${reportTo()}, with the command line and these lines:\n\n` +
    `touchstone ${packageFile().version}, Node ${process.version}, ${process.platform}\n${chain(error)}`
  );
}

/** An error with what caused it. */
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
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
}
