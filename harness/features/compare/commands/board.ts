import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { provided } from '../../../kernel/cli/index.ts';
import { exitCodes } from '../../../kernel/core/index.ts';
import { printed } from '../../../kernel/report/index.ts';
import { consoleOf, printText, type Terminal, UsageError } from '../../../kernel/terminal/index.ts';
import { boardSummary } from '../board/pages.ts';
import { readBoard } from '../board/results.ts';

interface BoardOptions {
  readonly html: string;
  readonly publicKey?: string;
  readonly color: boolean;
}

/** `touchstone board`: a static site that compares gateways. */
export function boardCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('board')
    .summary('compare several gateways on a static site')
    .description(
      'Reads the reports that `run --json` wrote and the bundles that `certify` wrote, in a folder and the folders ' +
        'in it, and writes a static site: gateways by area, differences first; a page for each gateway, with its ' +
        'history, and for each requirement. Each bundle is verified. The site opens from a folder, loads nothing, ' +
        'and any host for static files serves it.',
    )
    .argument('<folder>', 'where the reports and bundles are')
    .requiredOption(
      '--html <folder>',
      'where the site is written: an empty folder, or an earlier board',
    )
    .option('--public-key <file>', 'require a signature of bundles by this Ed25519 key (SPKI, PEM)')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone board reports --html site\n      of the reports in this folder, and in the folders in it\n' +
        '  touchstone board vendors --html site --public-key public.pem\n      bundles count if they are signed by this key\n\n' +
        'Exit codes:\n  0 written, whatever the verdicts · 2 some files are not shown · 3 wrong usage, or nothing to show',
    )
    .action(async (folder: string, options: BoardOptions) => {
      exit(await board(folder, options, terminal));
    });
}

async function board(folder: string, options: BoardOptions, terminal: Terminal): Promise<number> {
  const { html: site, publicKey } = options;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`${folder} is not a folder: name the one with the reports.`);
  }
  assertOwn(site);
  const verify = provided('verifyBundle', 'Verifying bundles');
  const read = await readBoard(folder, (bundle) => verify(bundle, publicKey));
  if (read.gateways.length === 0) {
    const [first] = read.leftOut;
    throw new UsageError(
      first === undefined
        ? `${folder} has no report (*.json) and no bundle: \`run --json\` and \`certify\` write them.`
        : `${folder} has nothing to show. ${first.file}: ${first.why}`,
    );
  }
  const { writeBoard } = await import('../board/write-board.ts');
  writeBoard(read, site);
  const place = join(site, 'index.html');
  printText(printed(boardSummary(read, place), consoleOf(terminal, options)), terminal);
  return read.leftOut.length === 0 ? exitCodes.conformant : exitCodes.undecided;
}

/** @throws {UsageError} for a folder with files that no board has */
function assertOwn(site: string): void {
  if (!existsSync(site)) return;
  const foreign = readdirSync(site).find(
    (name) => !['index.html', 'gateways', 'requirements'].includes(name),
  );
  if (foreign === undefined) return;
  throw new UsageError(
    `${site} has other files (${foreign}): name an empty folder, or an earlier board.`,
  );
}
