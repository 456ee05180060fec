import { readdirSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { demandsOf } from '../certificate/demands.ts';
import { bundleFiles } from '../certificate/files.ts';
import { verificationInWords } from '../certificate/words.ts';
import { loadCatalogue } from '../core/catalogue.ts';
import { renderHtml } from '../report/html/page.ts';
import { exchangeViews } from '../terminal/exchange-views.ts';
import { UsageError } from '../terminal/failure.ts';
import { assertWritable } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeText } from '../wire/masking/gate.ts';
import { challenge } from './options/challenge-option.ts';
import { collect } from './options/option-values.ts';

interface VerifyOptions {
  readonly publicKey?: string;
  readonly html?: string;
  readonly challenge?: string;
  readonly allowOtherBuild: readonly string[];
  readonly profile: readonly string[];
  readonly policy?: string;
}

/** `touchstone verify`: checks somebody's certificate, without believing a word of it. */
export function verifyCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('verify')
    .summary('verify a certificate, without the gateway or client')
    .description(
      'Verifies a bundle that `certify` wrote: every hash, the signature, and that every check of the ' +
        'catalogue has a verdict; then judges the recorded exchanges again. A bundle whose report ' +
        'disagrees with its exchanges is rejected. Nothing is sent.',
    )
    .argument('<bundle>', 'the folder that `certify --out` named')
    .option('--public-key <file>', 'require a signature by this Ed25519 key (SPKI, PEM)')
    .option(
      '--challenge <text>',
      'require that it was made for this challenge, which you made up',
      challenge,
    )
    .addOption(
      new Option('--profile <name>', 'require that it meets this profile; may be repeated')
        .argParser((name: string, before: readonly string[] = []) => [...before, profile(name)])
        .default([], ''),
    )
    .option('--policy <file>', 'require what this file demands (YAML; fixtures/policy.schema.json)')
    .option(
      '--allow-other-build <sha256>',
      'accept what this other build of the suite has made; may be repeated',
      collect,
      [],
    )
    .option(
      '--html <file>',
      'also write its HTML report, rendered here from the verified data, unless the bundle is rejected',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone verify certificate --public-key public.pem\n' +
        '      it is what it says, and was signed by this key\n' +
        '  touchstone verify certificate --html report.html\n' +
        '      read what was verified\n\n' +
        '  touchstone verify certificate --profile chat --policy policy.yaml\n' +
        '      it covers what is asked for\n\n' +
        'Exit codes: 0 VERIFIED: a certificate, by a key that you named · 1 REJECTED, REFUSED: less than you demand,\nor NONCONFORMANT: no certificate · 2 INTACT: nobody whom you named signed it · 3 wrong usage',
    )
    .action(async (folder: string, options: VerifyOptions) => {
      exit(await verify(folder, options, terminal));
    });
}

async function verify(
  folder: string,
  options: VerifyOptions,
  { stdout, program }: Terminal,
): Promise<number> {
  const { publicKey: file, allowOtherBuild: otherBuilds, html } = options;
  const demands = demandsOf({
    ...options,
    publicKey: file,
    profiles: options.profile,
    otherBuilds,
  });
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`${folder} is not a folder: name the one that \`certify --out\` wrote.`);
  }
  if (readdirSync(folder).length === 0) {
    throw new UsageError(
      `${folder} is empty: \`certify\` wrote nothing there. It says why it did not.`,
    );
  }
  assertOutside(folder, html);
  const { verifyBundle } = await import('../certificate/verify.ts');
  const verification = await verifyBundle(folder, demands);
  if (verification.level !== null && html !== undefined) {
    const { report } = verification.bundle;
    const views = await exchangeViews(join(folder, bundleFiles.exchanges), report);
    writeText(html, renderHtml(report, views));
  }
  const { lines, exitCode } = verificationInWords(folder, verification, program);
  stdout.write(`${lines(stdout.columns ?? Number.POSITIVE_INFINITY).join('\n')}\n`);
  return exitCode;
}

/** @throws {InvalidArgumentError} for what is none */
function profile(name: string): string {
  const known = loadCatalogue().claims.profiles.map((one) => one.name);
  if (known.includes(name)) return name;
  throw new InvalidArgumentError(`Known: ${known.join(', ')}.`);
}

/**
 * Sees to it that the report can be written, and does not become a file of the bundle.
 *
 * @throws {UsageError} when it cannot, or would
 */
function assertOutside(folder: string, html: string | undefined): void {
  if (html === undefined) return;
  if (resolve(html).startsWith(resolve(folder) + sep)) {
    throw new UsageError(
      `--html ${html}: a bundle holds its own files and nothing else: name a file outside of it.`,
    );
  }
  assertWritable({ html });
}
