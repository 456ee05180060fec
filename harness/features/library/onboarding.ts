import { asker } from '../../kernel/probing/index.ts';
import type { Environment, Target } from '../../kernel/targets/index.ts';
import { silentTerminal } from '../../kernel/terminal/index.ts';
import {
  type Address,
  type Finding as DoctorFinding,
  findListHeader,
  initialTargetFile,
  type LookOptions,
  look,
  runDoctorChecks,
  startTarget,
} from '../onboarding/index.ts';

export type { DoctorFinding };

export interface InitOptions extends Address, Partial<Omit<LookOptions, 'yes'>> {
  /** Environment with the keys: `TOUCHSTONE_KEY` and others. Default: that of the process. */
  readonly environment?: Environment;
  readonly signal?: AbortSignal;
}

/**
 * Inspects a gateway, like `touchstone init`. Free of charge, unless `generate` or `generations` is given.
 *
 * @returns the text of a target file
 * @throws {UsageError} when there is no model to inspect
 */
export async function init({
  environment = process.env,
  signal = new AbortController().signal,
  models = 12,
  ...options
}: InitOptions): Promise<string> {
  const file = 'touchstone.yaml';
  const start = await findListHeader(startTarget(options, file, environment), signal);
  const seen = await look(start, { ...options, models, yes: true }, silentTerminal, signal);
  return initialTargetFile(seen, file);
}

/** Checks that a target fits its gateway, like `touchstone doctor`. Free of charge. */
export function doctor(
  target: Target,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly DoctorFinding[]> {
  return runDoctorChecks(target, asker(target, signal));
}
