import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  commandLine,
  exitCode,
  exitCodes,
  messageOf,
  type RunResult,
} from '../../../kernel/core/index.ts';
import { type Plan, plannedObstacle } from '../../../kernel/engine/index.ts';
import { type Recording, readRecording } from '../../../kernel/recordings/index.ts';
import { claimInWords, wrap } from '../../../kernel/report/index.ts';
import type { Target } from '../../../kernel/targets/index.ts';
import { type Terminal, UsageError } from '../../../kernel/terminal/index.ts';
import { assertReadable, bundleFiles } from '../files.ts';
import type { SigningKey } from '../keys.ts';
import { certifyingObstacles, provenanceProblems } from '../provenance.ts';
import { writeBundle } from '../write.ts';

export interface BundlePlace {
  /** The folder, which already contains the recording of the run. */
  readonly out: string;
  /** Key that signs the bundle, or null to leave it unsigned. */
  readonly key: SigningKey | null;
}

/** True if a target can be certified over the current connection. Otherwise prints the reason. */
export function isReachedSafely(target: Target, terminal: Terminal): boolean {
  const obstacles = certifyingObstacles(target, terminal.environment);
  return !isKeptBy(obstacles, 'Nothing was sent.', terminal);
}

/** Prints what prevents a certificate for a run, if anything does. */
export function isKeptBy(
  obstacles: readonly string[],
  meanwhile: string,
  { stderr }: Terminal,
): boolean {
  if (obstacles.length === 0) return false;
  const lines = obstacles.flatMap((obstacle) =>
    wrap(obstacle, Math.max(40, (stderr.columns ?? 100) - 2)).map((line) => `  ${line}`),
  );
  stderr.write(`${[`Not certifiable. ${meanwhile}`, '', ...lines].join('\n')}\n`);
  return true;
}

/** True if a run can lead to a certificate, as far as its plan shows. Otherwise prints the reason. */
export function isCertifiable(plan: Plan, strict: boolean, { stderr }: Terminal): boolean {
  const missing = missingFor(plan, strict);
  if (missing.size > 0) stderr.write(notCertifiable(missing, stderr.columns ?? 100));
  return missing.size === 0;
}

/** Writes the bundle of a decided run, and prints its summary. Returns the exit code. */
export function writtenBundle(
  result: RunResult,
  { out, key }: BundlePlace,
  terminal: Terminal,
): number {
  const recording = join(out, bundleFiles.exchanges);
  if (result.interrupted || !isDecided(result)) {
    terminal.stderr.write(
      `No bundle was written: ${result.interrupted ? 'the run was interrupted' : `the run is ${result.verdict}`}.\n` +
        `Its exchanges are kept: ${commandLine(['touchstone', 'recheck', recording])}\n`,
    );
    return exitCodes.undecided;
  }
  if (result.keysMasked !== undefined) {
    terminal.stderr.write(
      'No bundle was written: a key of the target would have stood in what was found, so its exchanges may hold ' +
        `the key in pieces. Do not share ${recording}.\n`,
    );
    return exitCodes.undecided;
  }
  let read: Recording;
  try {
    assertReadable(out, bundleFiles.exchanges);
    read = readRecording(recording, true);
  } catch (error) {
    const why = messageOf(error);
    terminal.stderr.write(`No bundle was written, because nobody could verify it: ${why}.\n`);
    return exitCodes.undecided;
  }
  const problems = provenanceProblems(read);
  if (problems.length > 0) {
    terminal.stderr.write(
      `No bundle was written: ${problems.join('; ')}.\n` +
        `Its exchanges are kept: ${commandLine(['touchstone', 'recheck', recording])}\n`,
    );
    return exitCodes.undecided;
  }
  const { header } = read;
  const { predicate } = writeBundle(out, { result, header, key });
  const claim = claimInWords(result);
  terminal.stderr.write(
    `${result.verdict === 'conformant' ? 'Certificate' : 'Bundle (not a certificate)'}: ${out}, ` +
      `${predicate.result}, ${key === null ? 'not signed' : 'signed'}. ` +
      `${claim === null ? '' : `It covers: ${claim}. `}` +
      `Check it with: ${commandLine(['touchstone', 'verify', out])}${key === null ? '' : ' --public-key FILE'}\n`,
  );
  return exitCode(result.verdict);
}

function isDecided({ verdict }: RunResult): boolean {
  return verdict === 'conformant' || verdict === 'nonconformant';
}

/** Checks that a certificate requires but the target cannot be tested for, by the missing addition. */
export function missingFor(
  { checks }: Plan,
  strict: boolean,
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  for (const check of checks) {
    const { id, level } = check;
    const obstacle = plannedObstacle(check);
    if (level !== 'MUST' && !(strict && level === 'SHOULD')) continue;
    if (obstacle?.kind !== 'untestable' || obstacle.restriction !== undefined) continue;
    missing.set(obstacle.reason, [...(missing.get(obstacle.reason) ?? []), id]);
  }
  return missing;
}

function notCertifiable(missing: ReadonlyMap<string, readonly string[]>, width: number): string {
  const lines = ['Not certifiable: some required checks cannot be tested. Nothing was sent.', ''];
  for (const [reason, ids] of missing) {
    lines.push(...wrap(reason, Math.max(40, width - 2)).map((line) => `  ${line}`));
    const shown = ids.slice(0, 3).join(', ');
    const rest = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
    lines.push(
      ...wrap(`for ${shown}${rest}`, Math.max(40, width - 4)).map((line) => `    ${line}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Removes the folder of a bundle that was not written. */
export function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** @throws {UsageError} when the folder of a bundle cannot be created, or is not empty */
export function assertEmpty(folder: string, option: 'out' | 'certify' = 'out'): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${option} ${folder}: this folder cannot be used: ${reason}`);
  }
  throw new UsageError(
    `--${option} ${folder}: this folder is not empty. A bundle holds its own files and nothing else: ` +
      'name another folder.',
  );
}
