import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ageInDays, challenge, collect } from '../../../kernel/cli/index.ts';
import { loadCatalogue, messageOf, worstExitCode } from '../../../kernel/core/index.ts';
import { writeText } from '../../../kernel/redaction/index.ts';
import { pageOf, printed, renderHtml } from '../../../kernel/report/index.ts';
import {
  assertApart,
  assertWritable,
  exchangeViews,
  type Terminal,
  Unwritten,
  UsageError,
} from '../../../kernel/terminal/index.ts';
import {
  bundleFiles,
  bundlesIn,
  type Demands,
  demandsOf,
  isFolderOfBundles,
  listed,
  meanings,
  outcomeOf,
  type Verification,
  verificationDocument,
} from '../index.ts';
import { bundlesDocument } from '../list/document.ts';
import type { ListedBundle } from '../list/listed.ts';

interface VerifyOptions {
  readonly publicKey?: string;
  readonly html?: string;
  readonly challenge?: string;
  readonly reports?: string;
  readonly host: readonly string[];
  readonly maxAge?: number;
  readonly allowOtherBuild: readonly string[];
  readonly profile: readonly string[];
  readonly policy?: string;
}

/** `touchstone verify`: checks a certificate without trusting any of it. */
export function verifyCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('verify')
    .summary('verify a certificate, without the gateway or client')
    .description(
      'Verifies a bundle that `certify` wrote: every hash, the signature, and that every check of the ' +
        'catalogue has a verdict; then judges the recorded exchanges again. A bundle whose report ' +
        'disagrees with its exchanges is rejected. Nothing is sent.',
    )
    .argument(
      '<bundle>',
      'the folder that `certify --out` named, or one of such folders: a table of all',
    )
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
      '--host <name>',
      'require that each region is at this host; may be repeated',
      collect,
      [],
    )
    .option('--max-age <time>', 'require that it was made in this time: 30d, 12h', ageInDays)
    .option(
      '--allow-other-build <sha256>',
      'accept what this other build of the suite has made; may be repeated',
      collect,
      [],
    )
    .option(
      '--html <file>',
      'also write its HTML report, rendered here from the verified data, unless the bundle is rejected; of a folder of bundles a list',
    )
    .option(
      '--reports <folder>',
      'of a folder of bundles: write the report of each there, for the list',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone verify certificate --public-key public.pem\n' +
        '      it is what it says, and was signed by this key\n' +
        '  touchstone verify certificate --host gateway.example --max-age 30d\n' +
        '      it is of this host, and not older\n' +
        '  touchstone verify certificate --html report.html\n' +
        '      read what was verified\n' +
        '  touchstone verify certificate --profile chat --policy policy.yaml\n' +
        '      it covers what is asked for\n' +
        '  touchstone verify vendors --public-key public.pem --html vendors.html --reports reports\n' +
        '      a table of all bundles in this folder, and a page that lists them\n\n' +
        'Exit codes: 0 VERIFIED: a certificate, by a key that you named · 1 REJECTED, REFUSED: less than you demand,\nor NONCONFORMANT: no certificate · 2 INTACT: nobody whom you named signed it · 3 wrong usage ·\n6 UNJUDGED: over a limit of size, depth, time (of the processor: 60 s, and 1 s for each MiB) or memory. Of several, the worst',
    )
    .action(async (folder: string, options: VerifyOptions) => {
      exit(await verify(folder, options, terminal));
    });
}

async function verify(folder: string, options: VerifyOptions, terminal: Terminal): Promise<number> {
  const { publicKey, allowOtherBuild: otherBuilds, profile: profiles, host: hosts } = options;
  const { maxAge: maxAgeDays } = options;
  const demands = demandsOf({ ...options, publicKey, profiles, otherBuilds, hosts, maxAgeDays });
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`${folder} is not a folder: name the one that \`certify --out\` wrote.`);
  }
  if (readdirSync(folder).length === 0) {
    throw new UsageError(
      `${folder} is empty: \`certify\` wrote nothing there. It says why it did not.`,
    );
  }
  if (isFolderOfBundles(folder)) return verifySeveral(folder, demands, options, terminal);
  if (options.reports !== undefined) {
    throw new UsageError(
      '--reports goes with a folder of bundles: of one, --html writes the report.',
    );
  }
  return verifyOne(folder, demands, options, terminal);
}

async function verifyOne(
  folder: string,
  demands: Demands,
  { html }: VerifyOptions,
  { stdout, program }: Terminal,
): Promise<number> {
  assertWritable({ html });
  const { verifyBundle } = await import('../verify.ts');
  const verification = await verifyBundle(folder, demands);
  if (html !== undefined) await writeReport(html, folder, verification);
  stdout.write(printed(verificationDocument(folder, verification, program), wholeLines(stdout)));
  return outcomeOf(verification).exitCode;
}

/** @throws {InvalidArgumentError} for an unknown profile */
function profile(name: string): string {
  const known = loadCatalogue().claims.profiles.map((one) => one.name);
  if (known.includes(name)) return name;
  throw new InvalidArgumentError(`Known: ${known.join(', ')}.`);
}

/** Verifies bundles sequentially, because each may be large. */
async function verifySeveral(
  folder: string,
  demands: Demands,
  { html, reports }: VerifyOptions,
  { stdout }: Terminal,
): Promise<number> {
  const names = bundlesIn(folder).filter(
    (name) => reports === undefined || resolve(folder, name) !== resolve(reports),
  );
  const places = names.map((name) => join(folder, name));
  for (const place of places) assertApart('read', place, place);
  assertWritable({ html });
  if (reports !== undefined) mkdirSync(reports, { recursive: true });
  const { verifyBundle } = await import('../verify.ts');
  const bundles: ListedBundle[] = [];
  const exitCodes: number[] = [];
  const unwritten: string[] = [];
  for (const name of names) {
    const place = join(folder, name);
    const verification = lstatSync(place).isSymbolicLink()
      ? link
      : await verifyBundle(place, demands);
    const report = reports === undefined ? null : join(reports, `${name}.html`);
    let href: string | null = null;
    try {
      if (report !== null) await writeReport(report, place, verification);
      href = report === null ? null : linkTo(report, html);
    } catch (error) {
      unwritten.push(`${report}: ${messageOf(error)}`);
    }
    bundles.push(listed(name, verification, href));
    exitCodes.push(outcomeOf(verification).exitCode);
  }
  const document = bundlesDocument(bundles, { folder, meanings });
  if (html !== undefined) writeText(html, pageOf(document));
  stdout.write(printed(document, wholeLines(stdout)));
  if (unwritten.length > 0) throw new Unwritten(unwritten);
  return worstExitCode(exitCodes);
}

/** Width of the output: unlimited for a file or a pipe, so that each value is on one line. */
function wholeLines({ columns = Number.POSITIVE_INFINITY }: Terminal['stdout']) {
  return { colour: false, width: columns };
}

/** Rejects a link in the folder, because it may lead outside of it. */
const link: Verification = { level: null, problems: ['it is a link, and no folder'], bundle: null };

/** Writes the report of a bundle that was not rejected. */
async function writeReport(
  file: string,
  folder: string,
  verification: Verification,
): Promise<void> {
  if (verification.level === null) return;
  const { report } = verification.bundle;
  const views = await exchangeViews(join(folder, bundleFiles.exchanges), report);
  writeText(file, renderHtml(report, views));
}

function linkTo(report: string, list = ''): string {
  const path = relative(dirname(resolve(list)), resolve(report));
  return path.split(sep).map(encodeURIComponent).join('/');
}
