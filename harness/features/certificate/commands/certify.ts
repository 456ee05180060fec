import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import {
  add,
  assertOneSeed,
  assertThere,
  challenge,
  challengeHelp,
  type GivenOf,
  optionGroups,
  type Ready,
  settleOf,
  type TargetOptions,
  usualTarget,
  withTarget,
} from '../../../kernel/cli/index.ts';
import { exitCodes } from '../../../kernel/core/index.ts';
import { plan, run } from '../../../kernel/engine/index.ts';
import {
  assertWritten,
  printReport,
  stopped,
  type Terminal,
} from '../../../kernel/terminal/index.ts';
import { bundleFiles, clockProblems, readSigningKey, type SigningKey } from '../index.ts';
import {
  assertEmpty,
  isCertifiable,
  isKeptBy,
  isReachedSafely,
  removeIfEmpty,
  writtenBundle,
} from './bundle.ts';

const { inlineTarget, pace, look } = optionGroups;

interface CertifyOptions
  extends TargetOptions,
    GivenOf<'seed' | 'settle' | 'strict' | (typeof look)[number]> {
  readonly out: string;
  readonly key?: string;
  readonly challenge?: string;
}

/** `touchstone certify`: judges all of a gateway, and writes evidence that others can verify. */
export function certifyCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('certify')
    .summary('judge a gateway in full and write signed evidence')
    .description(
      'Runs every check in every region (--thorough), and writes a bundle that others can verify without the gateway: the report, ' +
        'every exchange with its keys masked, and the versions used. Only the bundle of a conformant ' +
        'run is a certificate; a nonconformant run is bundled as evidence, too. A client is certified by ' +
        '`touchstone client --certify FOLDER`.',
    )
    .requiredOption('-o, --out <folder>', 'an empty folder for the bundle')
    .option('--key <file>', 'sign it with this Ed25519 private key (PKCS#8, PEM)')
    .option('--challenge <text>', challengeHelp, challenge)
    .optionsGroup('What to judge:')
    .option(
      '-t, --target <file>',
      'a target file (YAML), which describes the gateway (touchstone.yaml)',
    );
  return add(command, ...inlineTarget, 'reference', ...pace, 'strict', ...look)
    .addHelpText('after', examples)
    .action(async (options: CertifyOptions) => {
      const target = options.target ?? usualTarget(options, 'nothing', terminal);
      exit(await certify({ ...options, target }, terminal));
    });
}

async function certify(options: CertifyOptions, terminal: Terminal): Promise<number> {
  const key = options.key === undefined ? null : readSigningKey(options.key);
  assertOneSeed(options);
  assertEmpty(options.out);
  return withTarget({ ...options, thorough: true }, options.color, terminal, (ready) =>
    certifyTarget(ready, key, options, terminal),
  ).finally(() => removeIfEmpty(options.out));
}

async function certifyTarget(
  ready: Ready,
  key: SigningKey | null,
  options: CertifyOptions,
  terminal: Terminal,
): Promise<number> {
  const { target, signal, progress } = ready;
  const { out, quiet = false, strict = false } = options;
  if (!isReachedSafely(target, terminal)) return exitCodes.undecided;
  if (!isCertifiable(await plan(target), strict, terminal)) return exitCodes.undecided;
  const seen = await assertThere(ready, options);
  const clocks = clockProblems(seen?.clocks ?? []);
  if (isKeptBy(clocks, 'Only model lists were asked for.', terminal)) return exitCodes.undecided;
  if (signal.aborted) return stopped(terminal);
  const recording = join(out, bundleFiles.exchanges);
  const problems: string[] = [];
  const result = await run({
    target,
    seed: options.seed ?? randomInt(2 ** 31),
    challenge: options.challenge,
    strict,
    settle: settleOf(options),
    signal,
    recording,
    onUnrecorded: (why) => problems.push(`${recording} is not whole: ${why}`),
    ...(quiet ? {} : { onProgress: (seen) => progress.update(seen) }),
  }).finally(() => progress.end());
  printReport(result, terminal, options);
  assertWritten(problems);
  return writtenBundle(result, { out, key }, terminal);
}

const examples = `
Examples:
  openssl genpkey -algorithm ed25519 -out signing.pem
  openssl pkey -in signing.pem -pubout -out public.pem
      a key to sign with, and what others verify with
  touchstone certify --target production.yaml --out certificate --key signing.pem
  touchstone verify certificate --public-key public.pem
  touchstone certify --target production.yaml --out certificate --challenge 6f1d9c20b7e84a35
      for a verifier who made up the challenge, and sees by it that the run came later

Exit codes: 0 certificate written · 1 nonconformant, bundled as such · 2 not certifiable, with what
is missing · 3 wrong usage or target file · 4 unreachable · 5 Touchstone itself crashed`;
