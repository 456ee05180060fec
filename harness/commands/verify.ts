import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { keyIdOf } from '../certificate/dsse.ts';
import { bundleFiles } from '../certificate/files.ts';
import type { Bundle } from '../certificate/inspect.ts';
import { readPublicKey } from '../certificate/keys.ts';
import type { Verification } from '../certificate/verify.ts';
import type { RunResult } from '../core/result.ts';
import { exitCodes } from '../core/verdict.ts';
import { renderHtml } from '../report/html/page.ts';
import { printable } from '../report/printable.ts';
import { clientFacts, subjectOf } from '../report/subject.ts';
import { exchangeViews } from '../terminal/exchange-views.ts';
import { UsageError } from '../terminal/failure.ts';
import { assertWritable } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { challenge } from './options/challenge-option.ts';

interface VerifyOptions {
  readonly publicKey?: string;
  readonly html?: string;
  readonly challenge?: string;
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
        'Exit codes: 0 a certificate, verified · 1 rejected, or intact but no certificate · 3 wrong usage',
    )
    .action(async (folder: string, options: VerifyOptions) => {
      exit(await verify(folder, options, terminal));
    });
}

async function verify(
  folder: string,
  options: VerifyOptions,
  { stdout }: Terminal,
): Promise<number> {
  const publicKey = options.publicKey === undefined ? null : readPublicKey(options.publicKey);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`${folder} is not a folder: name the one that \`certify --out\` wrote.`);
  }
  if (readdirSync(folder).length === 0) {
    throw new UsageError(
      `${folder} is empty: \`certify\` wrote nothing there. It says why it did not.`,
    );
  }
  assertOutside(folder, options.html);
  const { verifyBundle } = await import('../certificate/verify.ts');
  const html = async (result: RunResult, recording: string): Promise<string> =>
    renderHtml(result, await exchangeViews(recording, result));
  const verification = await verifyBundle(folder, {
    publicKey,
    html,
    challenge: options.challenge ?? null,
  });
  const { problems, bundle, notes } = verification;
  if (bundle === null || problems.length > 0) {
    stdout.write(rejection(folder, verification));
    return exitCodes.nonconformant;
  }
  if (options.html !== undefined) {
    writeFileSync(options.html, await html(bundle.report, join(folder, bundleFiles.exchanges)));
  }
  const signature = publicKey === null ? null : keyIdOf(publicKey);
  const certificate = bundle.report.verdict === 'conformant';
  const lines = [
    ...summary(bundle, signature),
    ...notes,
    '',
    conclusion(folder, certificate, signature, subjectOf(bundle.report).noun),
  ];
  // The bundle comes from somebody who may want to be believed.
  stdout.write(printable(`${lines.join('\n')}\n`));
  return certificate ? exitCodes.conformant : exitCodes.nonconformant;
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

/** Of very many problems a reader needs the first ones. */
const shownProblems = 30;

function rejection(folder: string, { problems }: Verification): string {
  const shown = problems.slice(0, shownProblems).map((problem) => `  - ${problem}`);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [`  … and ${rest} more`] : [];
  return printable(
    `${[`REJECTED: ${folder} is not what it claims to be.`, ...shown, ...more].join('\n')}\n`,
  );
}

function summary({ report, exchanges, envelope }: Bundle, signer: string | null): string[] {
  const { conversations, suiteVersion, startedAt, seed, strict, checks } = report;
  const [signature] = envelope.signatures;
  const signed =
    signature === undefined
      ? 'none: anybody could have made this bundle'
      : `by the key ${signature.keyid}, not checked: give --public-key`;
  return [
    ...subjectLines(report),
    `run        ${startedAt}, suite ${suiteVersion}, seed ${seed}${strict ? ', strict' : ''}`,
    'files      complete, each with its SHA-256',
    `signature  ${signer === null ? signed : `by the given key, ${signer}`}`,
    `catalogue  ${checks.length} checks, each with a verdict`,
    ...(conversations === undefined ? [] : [`starts     ${conversations.length} of the client`]),
    `exchanges  ${exchanges}, judged again with the same verdicts`,
  ];
}

/** What was judged: where a gateway is, and what a client is and how it was started. */
function subjectLines({ target }: RunResult): string[] {
  const { name, regions, singleRegion, client } = target;
  if (client === undefined) {
    const addresses = regions.map(({ baseUrl }) => baseUrl).join(', ');
    return [`gateway    ${name}: ${addresses}${singleRegion ? ' (single region)' : ''}`];
  }
  return [
    `client     ${name}`,
    ...clientFacts(client).map(([fact, value]) => `${fact.toLowerCase().padEnd(10)} ${value}`),
  ];
}

function conclusion(
  folder: string,
  certificate: boolean,
  signer: string | null,
  noun: string,
): string {
  if (!certificate) {
    return `INTACT, but not a certificate: ${folder} is the bundle of a nonconformant ${noun}.`;
  }
  const verified = `VERIFIED: ${folder} is the certificate of a conformant ${noun}`;
  return signer === null
    ? `${verified}. Who signed it was not checked: give --public-key FILE.`
    : `${verified}, signed by the given key.`;
}
