import { Command } from 'commander';
import {
  add,
  exitCodeOf,
  type GivenOf,
  optionGroups,
  type ReportOptions,
  remarked,
} from '../../kernel/cli/index.ts';
import { allowing, inShell, type RunResult } from '../../kernel/core/index.ts';
import {
  assertWritable,
  deliverReports,
  printReport,
  reportAt,
  reportFilesIn,
  type Terminal,
  UsageError,
} from '../../kernel/terminal/index.ts';
import { mergeReports, NotParts, type Part } from './merge-reports.ts';
import { exchangesOfParts, recordingsOf } from './part-recordings.ts';

interface MergeOptions extends ReportOptions, GivenOf<'allowPartial' | 'allowInconclusive'> {
  readonly recordings?: readonly string[];
}

/** `touchstone merge`: joins the reports of a run that was split. */
export function mergeCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('merge')
    .summary('merge the reports of a sharded run')
    .description(
      'Merges the reports of the shards of one run (`run --shard i/n --json FILE`) into one verdict, and ' +
        'reports and exits as `run` does. The verdict is indeterminate while a shard is missing.',
    )
    .argument('<reports...>', 'the report.json of each shard')
    .option(
      '--recordings <files...>',
      'the recordings of the shards (`run --record FILE`), for the exchanges in the HTML report',
    );
  return add(command, ...optionGroups.tolerance, ...optionGroups.reports)
    .addHelpText('after', examples)
    .action(async (files: string[], options: MergeOptions) => {
      assertWritable(reportFilesIn(options));
      const parts = files.map((file) => ({ file, report: reportAt(file) }));
      const recordings = recordingsOf(parts, options.recordings ?? []);
      const whole = allowing(await remarked(merged(parts)), options.allowInconclusive ?? []);
      const result = withReport(whole, options.json);
      printReport(result, terminal, options);
      const shownBy = async () => {
        const shown = await exchangesOfParts(parts, recordings);
        terminal.stderr.write(aboutRecordings(shown.unrecorded, recordings.foreign));
        return shown;
      };
      await deliverReports(result, options, shownBy, terminal, options);
      exit(exitCodeOf(result, options));
    });
}

function merged(parts: readonly Part[]) {
  try {
    return mergeReports(parts);
  } catch (error) {
    if (error instanceof NotParts) throw new UsageError(error.message);
    throw error;
  }
}

/** Points the invocation to the merged report, which has the failures of all parts. */
function withReport(result: RunResult, json: string | undefined): RunResult {
  const { invocation } = result;
  if (invocation === undefined || json === undefined) return result;
  return { ...result, invocation: { ...invocation, report: inShell(json) } };
}

/** Explains which exchanges the HTML report lacks, with advice. */
function aboutRecordings(unrecorded: readonly string[], foreign: readonly string[]): string {
  const lines = foreign.map((file) => `Ignored ${file}: it belongs to none of these reports.\n`);
  if (unrecorded.length > 0) {
    lines.push(
      `The HTML report has no exchanges of ${unrecorded.join(', ')}: ` +
        'run each shard with --record FILE, and name these files with --recordings.\n',
    );
  }
  return lines.join('');
}

const examples = `
Examples:
  touchstone run --target staging.yaml --shard 1/2 --json part-1.json
  touchstone run --target staging.yaml --shard 2/2 --json part-2.json
      two shards of one run, on two machines
  touchstone merge part-1.json part-2.json --junit junit.xml
      one verdict: that of the whole run
  touchstone merge part-*.json --html report.html --recordings part-*.jsonl
      with the exchanges, if each shard was run with --record part-i.jsonl

All shards need the same suite version, target file, ids and seed (default 1). If checks of two
shards need the same request, each shard sends it.`;
