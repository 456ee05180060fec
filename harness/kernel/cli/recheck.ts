import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadCatalogue, sideOf, suiteVersion } from '../core/index.ts';
import type { Rejudged } from '../engine/index.ts';
import { readRecordingHeader } from '../recordings/index.ts';
import {
  assertWritable,
  deliverReports,
  exchangeViews,
  formats,
  optionOf,
  printReport,
  reportFilesIn,
  type Terminal,
  UsageError,
} from '../terminal/index.ts';
import { provided, remarked, scriptMeaning } from './feature.ts';
import { excused, exitCodeOf } from './judging/excused.ts';
import { rejudgedApart } from './judging/rejudge-any.ts';
import { assertKnown } from './options/filters.ts';
import { knownFailuresAt } from './options/known-failures.ts';
import { add, type Excuses, optionGroups, type ReportOptions } from './options/run-table.ts';

interface RecheckOptions extends ReportOptions, Excuses {
  readonly strict?: boolean;
  readonly script?: string;
}

/** Makes `touchstone recheck`, which judges a recorded run again with the present suite. */
export function recheckCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('recheck')
    .summary('judge a recorded run or exploration again')
    .description(
      'Judges the exchanges of an earlier run with the suite as it is today, and reports as `run` ' +
        'does. Nothing is sent, and the gateway is not needed.',
    )
    .argument(
      '<recording>',
      'what `run --record FILE` or `explore --record FILE` wrote, or the folder of a certificate',
    )
    .argument(
      '[ids...]',
      'which checks: id prefixes (storage/responses, input/), or all of a protocol (@messages)',
    )
    .option('--script <file>', `of an exploration: ${scriptMeaning}`);
  return add(command, 'strict', ...optionGroups.excuses, ...optionGroups.reports)
    .addHelpText('after', examples)
    .action(async (recording: string, ids: string[], options: RecheckOptions) => {
      exit(await recheck(recordingIn(recording), ids, options, terminal));
    });
}

async function recheck(
  recording: string,
  filters: readonly string[],
  options: RecheckOptions,
  terminal: Terminal,
): Promise<number> {
  const { target, explored } = readRecordingHeader(recording);
  if (explored !== undefined) {
    const recheckExploration = provided('recheckExploration', 'A recording of an exploration');
    const { html, json, script, color } = options;
    const others = formats.filter(({ name }) => name !== 'html' && name !== 'json');
    const [other] = others.filter(({ name }) => options[name] !== undefined);
    if (filters.length > 0 || other !== undefined) {
      throw new UsageError(
        `${recording} is of an exploration: it has no checks${other === undefined ? ' to choose from' : `, so leave out ${optionOf(other.name)}`}. ` +
          'It takes --html, --json and --script.',
      );
    }
    assertWritable({ html, json, script });
    return recheckExploration(recording, { html, json, script }, color, terminal);
  }
  if (options.script !== undefined) {
    throw new UsageError(
      `--script is for a recording of \`touchstone explore\`; ${recording} is of a run.`,
    );
  }
  const catalogue = loadCatalogue(sideOf({ target }));
  assertKnown(
    filters,
    catalogue.checks.map(({ id }) => id),
  );
  const { knownFailures } = options;
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, catalogue);
  assertWritable(reportFilesIn(options));
  const { strict } = options;
  const how = { filters, ...(strict === undefined ? {} : { strict }) };
  const first = await rejudgedApart(recording, how);
  // A run of this suite sends the same requests again, so a recording that lacks some was ended early.
  const endedEarly = first.lacksExchanges && isOfThisSuite(first);
  const rejudged = endedEarly ? await rejudgedApart(recording, { ...how, endedEarly }) : first;
  const result = await remarked(excused(rejudged.result, options));
  printReport(result, terminal, options);
  terminal.stderr.write(aboutRecording(rejudged, loadCatalogue().digest, filters.length > 0));
  const shown = async () => ({ views: await exchangeViews(recording, result) });
  await deliverReports(result, options, shown, terminal, options);
  return exitCodeOf(result, options);
}

function isOfThisSuite({ header }: Rejudged): boolean {
  return header.suiteVersion === suiteVersion && header.catalogue === loadCatalogue().digest;
}

/** Returns notes for the reader on verdicts that come from a recording. */
function aboutRecording(rejudged: Rejudged, today: string, narrowed: boolean): string {
  const { header, exchanges, cut, unasked } = rejudged;
  const lines = [
    `Judged again from ${exchanges} exchanges of ${header.startedAt}; nothing was sent.`,
  ];
  if (!isOfThisSuite(rejudged)) {
    lines.push(
      `They were recorded by version ${header.suiteVersion}; this is ${suiteVersion}, with ` +
        `${header.catalogue === today ? 'the same' : 'another'} catalogue.`,
    );
  }
  if (rejudged.result.interrupted) {
    lines.push('The run was ended before it had asked for everything: the rest is inconclusive.');
  }
  if (cut) lines.push('The last line of the recording is truncated and was ignored.');
  if (unasked.length > 0 && !narrowed) {
    const [first = ''] = unasked;
    lines.push(`${unasked.length} of them are not used by this suite: ${first} …`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the path of the recording. A folder is one that `touchstone certify` wrote. */
function recordingIn(path: string): string {
  // The reader of the file says what is wrong with a path that leads nowhere.
  const bundled = join(path, 'exchanges.jsonl');
  return existsSync(bundled) ? bundled : path;
}

const examples = `
Examples:
  touchstone run --target staging.yaml --record run.jsonl
  touchstone recheck run.jsonl
      the same run, judged by the current suite: after a change of a check, free of charge
  touchstone recheck run.jsonl storage/responses --html report.html
      some of its checks, in a further report
  touchstone recheck run.jsonl --known-failures known.txt
      with the known failures of the run`;
