import { Command, Option } from 'commander';
import { exitCodes, sideOf } from '../../../kernel/core/index.ts';
import {
  compare,
  comparisonDocument,
  inMarkdown,
  printed,
  renderComparisonJson,
} from '../../../kernel/report/index.ts';
import {
  consoleOf,
  printText,
  reportAt,
  type Terminal,
  UsageError,
} from '../../../kernel/terminal/index.ts';

interface DiffOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
}

/** `touchstone diff`: changes between two runs. */
export function diffCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('diff')
    .summary('compare two reports')
    .description(
      'Compares two reports that `run --json` or `client --json` wrote: which runs they are, what stands in the ' +
        'way of comparing them, what broke, what was fixed, what else changed.',
    )
    .argument('<old>', 'the older report.json')
    .argument('<new>', 'the newer report.json')
    .option('-v, --verbose', 'each check, also of what is no longer judged or judged only now')
    .addOption(
      new Option('--markdown', 'print Markdown, for a pull request or a job summary').conflicts(
        'json',
      ),
    )
    .option('--json', 'print JSON, as fixtures/comparison.schema.json describes it')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action((older: string, newer: string, options: DiffOptions) => {
      const [before, after] = [reportAt(older), reportAt(newer)];
      if (sideOf(before) !== sideOf(after)) {
        throw new UsageError(
          `${older} is the report of a ${sideOf(before)}, and ${newer} of a ${sideOf(after)}: they have no check in common.`,
        );
      }
      const comparison = compare({ file: older, result: before }, { file: newer, result: after });
      if (options.json === true) terminal.stdout.write(renderComparisonJson(comparison));
      else if (options.markdown === true) {
        terminal.stdout.write(
          inMarkdown(comparisonDocument(comparison, { inFull: 30, named: 30 }), 2),
        );
      } else {
        const { verbose = false } = options;
        const look = consoleOf(terminal, options);
        printText(printed(comparisonDocument(comparison, { inFull: 5, verbose }), look), terminal);
      }
      exit(comparison.gotWorse ? exitCodes.nonconformant : exitCodes.conformant);
    });
}

const examples = `
Examples:
  touchstone diff old.json new.json                 what changed, for a reader
  touchstone diff main.json branch.json --markdown  for a pull request
  touchstone diff old.json new.json --json          for programs

Exit codes:
  0 nothing got worse · 1 something broke, or fails that was not judged before · 3 wrong usage, or no report`;
