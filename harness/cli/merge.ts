import { Command } from 'commander';
import { mergeReports, NotParts } from '../report/merge.ts';
import { reportAt } from './diff.ts';
import { UsageError } from './failure.ts';
import { printReport } from './print-report.ts';
import { assertWritable, formats, type ReportFiles, writeReports } from './reports.ts';
import { exitCodeOf } from './run.ts';
import type { Terminal } from './terminal.ts';

interface MergeOptions extends ReportFiles {
  readonly allowPartial?: boolean;
  readonly github?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `touchstone merge`: the reports of a run that was split, as one. */
export function mergeCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('merge')
    .summary('join the reports of a run that was split')
    .description(
      'Joins the reports of the parts of one run (`run --shard i/n --json FILE`) into one verdict, and\n' +
        'reports and exits as `run` does. The run is indeterminate while a part is missing.',
    )
    .argument('<reports...>', 'a report.json of each part')
    .option('--allow-partial', 'exit with 0 although something could not be tested');
  command.optionsGroup('What to write:');
  for (const { name, description } of formats) command.option(`--${name} <file>`, description);
  return command
    .option('--github', 'annotations for GitHub Actions')
    .option('-q, --quiet', 'failures and the verdict only')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (files: string[], options: MergeOptions) => {
      const { html, json, junit, markdown, ctrf, badge } = options;
      assertWritable({ html, json, junit, markdown, ctrf, badge });
      const result = merged(files);
      const { quiet = false, github = false, allowPartial = false } = options;
      printReport(result, terminal, { colour: options.color, quiet, github });
      await writeReports(result, options, undefined);
      exit(exitCodeOf(result, allowPartial));
    });
}

function merged(files: readonly string[]) {
  try {
    return mergeReports(files.map((file) => ({ file, report: reportAt(file) })));
  } catch (error) {
    if (error instanceof NotParts) throw new UsageError(error.message);
    throw error;
  }
}

const examples = `
Examples:
  touchstone run --target staging.yaml --shard 1/2 --json part-1.json
  touchstone run --target staging.yaml --shard 2/2 --json part-2.json
      the two halves of a run, on two machines
  touchstone merge part-1.json part-2.json --junit junit.xml
      one verdict: that of the whole run

All parts need the same suite, target file, ids and seed (1, unless --seed says otherwise). Where
checks of two parts build on the same request, each part sends it.`;
