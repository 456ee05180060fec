import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { bundleFiles } from '../certificate/files.ts';
import { readSigningKey, type SigningKey } from '../certificate/keys.ts';
import { writeBundle } from '../certificate/write.ts';
import type { RunResult } from '../core/result.ts';
import { exitCode, exitCodes } from '../core/verdict.ts';
import { type Plan, plannedObstacle } from '../engine/plan.ts';
import { readRecording } from '../engine/recordings/recording.ts';
import { renderHtml } from '../report/html/page.ts';
import { wrap } from '../report/wrap.ts';
import { exchangeViews } from '../terminal/exchange-views.ts';
import { UsageError } from '../terminal/failure.ts';
import { stopped } from '../terminal/interruption.ts';
import { printReport } from '../terminal/print-report.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { assertThere, type Ready, withTarget } from './judging/with-target.ts';
import type { TargetOptions } from './options/choose-target.ts';
import { addInlineTarget, addLook, addPace, addReference } from './options/command-options.ts';
import { settleOf } from './options/run-options.ts';

interface CertifyOptions extends TargetOptions {
  readonly out: string;
  readonly key?: string;
  readonly seed?: number;
  readonly settle?: boolean;
  readonly strict?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `touchstone certify`: judges all of a gateway, and writes the evidence for others to check. */
export function certifyCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('certify')
    .summary('judge a gateway in full and write signed evidence')
    .description(
      'Runs every check, and writes a bundle that others can verify without the gateway: the report, ' +
        'every exchange with its keys masked, and the versions used. Only the bundle of a conformant ' +
        'run is a certificate; a nonconformant run is bundled as evidence, too.',
    )
    .requiredOption('-o, --out <folder>', 'an empty folder for the bundle')
    .option('--key <file>', 'sign it with this Ed25519 private key (PKCS#8, PEM)')
    .optionsGroup('What to judge:')
    .option('-t, --target <file>', 'a target file (YAML), which describes the gateway');
  addReference(addInlineTarget(command)).optionsGroup('How to run:');
  addPace(command).option('--strict', 'require the SHOULDs, too');
  return addLook(command)
    .addHelpText('after', examples)
    .action(async (options: CertifyOptions) => {
      exit(await certify(options, terminal));
    });
}

async function certify(options: CertifyOptions, terminal: Terminal): Promise<number> {
  const key = options.key === undefined ? null : readSigningKey(options.key);
  assertEmpty(options.out);
  return withTarget(options, options.color, terminal, (ready) =>
    certifyTarget(ready, key, options, terminal),
  );
}

async function certifyTarget(
  ready: Ready,
  key: SigningKey | null,
  options: CertifyOptions,
  terminal: Terminal,
): Promise<number> {
  const { target, signal, progress } = ready;
  const { out, quiet = false, strict = false } = options;
  const { plan, run } = await import('../engine/run.ts');
  const missing = untestable(await plan(target), strict);
  if (missing.size > 0) {
    terminal.stderr.write(notCertifiable(missing, terminal.stderr.columns ?? 100));
    return exitCodes.undecided;
  }
  await assertThere(ready, options);
  if (signal.aborted) return stopped(terminal);
  const recording = join(out, bundleFiles.exchanges);
  const result = await run({
    target,
    seed: options.seed ?? randomInt(2 ** 31),
    strict,
    settle: settleOf(options),
    signal,
    recording,
    ...(quiet ? {} : { onProgress: (seen) => progress.update(seen) }),
  }).finally(() => progress.end());
  printReport(result, terminal, { colour: options.color, quiet, github: false });
  if (result.interrupted || !isDecided(result)) {
    terminal.stderr.write(
      `No bundle was written: ${result.interrupted ? 'the run was interrupted' : `the run is ${result.verdict}`}.\n` +
        `Its exchanges are kept: touchstone recheck ${recording}\n`,
    );
    return exitCodes.undecided;
  }
  const { header } = readRecording(recording);
  const html = renderHtml(result, await exchangeViews(recording, result));
  const { predicate } = writeBundle(out, { result, header, html, key });
  terminal.stderr.write(
    `${result.verdict === 'conformant' ? 'Certificate' : 'Bundle (not a certificate)'}: ${out}, ` +
      `${predicate.result}, ${key === null ? 'not signed' : 'signed'}. ` +
      `Check it with: touchstone verify ${out}${key === null ? '' : ' --public-key FILE'}\n`,
  );
  return exitCode(result.verdict);
}

function isDecided({ verdict }: RunResult): boolean {
  return verdict === 'conformant' || verdict === 'nonconformant';
}

/** The checks that a certificate needs and this target cannot be tested for, by what to add. */
function untestable({ checks }: Plan, strict: boolean): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  for (const check of checks) {
    const { id, level } = check;
    const obstacle = plannedObstacle(check);
    if (level !== 'MUST' && !(strict && level === 'SHOULD')) continue;
    if (obstacle?.kind !== 'untestable') continue;
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

/** @throws {UsageError} when the folder cannot be made, or holds something */
function assertEmpty(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--out ${folder}: this folder cannot be used: ${reason}`);
  }
  throw new UsageError(
    `--out ${folder}: this folder is not empty. A bundle holds its own files and nothing else: ` +
      'name another folder.',
  );
}

const examples = `
Examples:
  openssl genpkey -algorithm ed25519 -out signing.pem
  openssl pkey -in signing.pem -pubout -out public.pem
      a key to sign with, and what others verify with
  touchstone certify --target production.yaml --out certificate --key signing.pem
  touchstone verify certificate --public-key public.pem

Exit codes: 0 certificate written · 1 nonconformant, bundled as such · 2 not certifiable, with what
is missing · 3 wrong usage or target file · 4 unreachable · 5 Touchstone itself crashed`;
