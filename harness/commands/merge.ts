import { Command } from 'commander';
import { mergeReports, NotParts, type Part } from '../report/merge.ts';
import { UsageError } from '../terminal/failure.ts';
import { exchangesOfParts, recordingsOf } from '../terminal/part-recordings.ts';
import { printReport } from '../terminal/print-report.ts';
import { assertWritable, writeReports } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { reportAt } from './diff.ts';
import { exitCodeOf } from './judging/judge-target.ts';
import { addReports, type ReportOptions } from './options/command-options.ts';

interface MergeOptions extends ReportOptions {
  readonly recordings?: readonly string[];
  readonly allowPartial?: boolean;
}

/** `touchstone merge`: the reports of a run that was split, as one. */
export function mergeCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('merge')
    .summary('join the reports of a run that was split')
    .description(
      'Joins the reports of the parts of one run (`run --shard i/n --json FILE`) into one verdict, and ' +
        'reports and exits as `run` does. The run is indeterminate while a part is missing.',
    )
    .argument('<reports...>', 'a report.json of each part')
    .option(
      '--recordings <files...>',
      'what parts were recorded to (`run --record FILE`), for the exchanges in the HTML report',
    )
    .option('--allow-partial', 'exit with 0 although something could not be tested');
  return addReports(command)
    .addHelpText('after', examples)
    .action(async (files: string[], options: MergeOptions) => {
      const { html, json, junit, markdown, ctrf, badge } = options;
      assertWritable({ html, json, junit, markdown, ctrf, badge });
      const parts = files.map((file) => ({ file, report: reportAt(file) }));
      const recordings = recordingsOf(parts, options.recordings ?? []);
      const result = merged(parts);
      const { quiet = false, github = false, allowPartial = false } = options;
      printReport(result, terminal, { colour: options.color, quiet, github });
      await writeReports(result, options, async () => {
        const shown = await exchangesOfParts(parts, recordings);
        terminal.stderr.write(aboutRecordings(shown.unrecorded, recordings.foreign));
        return shown;
      });
      exit(exitCodeOf(result, allowPartial));
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

/** What the HTML report does not show of the exchanges, and what to do about it. */
function aboutRecordings(unrecorded: readonly string[], foreign: readonly string[]): string {
  const lines = foreign.map(
    (file) => `Left out ${file}: none of the reports is of the run that it recorded.\n`,
  );
  if (unrecorded.length > 0) {
    lines.push(
      `The HTML report has no exchanges of ${unrecorded.join(', ')}: ` +
        'run each part with --record FILE, and name these files with --recordings.\n',
    );
  }
  return lines.join('');
}

const examples = `
Examples:
  touchstone run --target staging.yaml --shard 1/2 --json part-1.json
  touchstone run --target staging.yaml --shard 2/2 --json part-2.json
      the two halves of a run, on two machines
  touchstone merge part-1.json part-2.json --junit junit.xml
      one verdict: that of the whole run
  touchstone merge part-*.json --html report.html --recordings part-*.jsonl
      with the exchanges, where each part was run with --record part-i.jsonl, too

All parts need the same suite, target file, ids and seed (1, unless --seed says otherwise). Where
checks of two parts build on the same request, each part sends it.`;
