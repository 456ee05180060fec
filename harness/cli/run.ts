import { randomInt } from 'node:crypto';
import { Command, Option } from 'commander';
import type { Selection } from '../check/run.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import { excuse } from '../spec/known-failures.ts';
import type { RunResult } from '../spec/result.ts';
import { exitCode, exitCodes } from '../spec/verdict.ts';
import type { Target } from '../target/target.ts';
import { askAllRegions, chooseTarget, isForeign, type TargetOptions } from './choose-target.ts';
import { reportAt } from './diff.ts';
import { exchangeViews } from './exchange-views.ts';
import { failureOf } from './failure.ts';
import { assertKnown } from './filters.ts';
import { interrupted, interruptible } from './interruption.ts';
import { knownFailuresAt } from './known-failures.ts';
import { collect, positiveNumber, wholeNumber } from './option-values.ts';
import { printReport } from './print-report.ts';
import { type ProgressDisplay, showProgress } from './progress.ts';
import { recordingFile } from './recording-file.ts';
import { assertWritable, formats, type ReportFiles, writeReports } from './reports.ts';
import { failedIn, type ShardNumber, shardNumber, shardOf } from './selection.ts';
import type { Terminal } from './terminal.ts';

interface RunCommandOptions extends TargetOptions, ReportFiles {
  readonly seed?: number;
  readonly shuffle?: boolean;
  readonly serial?: boolean;
  readonly strict?: boolean;
  readonly allowPartial?: boolean;
  readonly knownFailures?: string;
  readonly rerunFailed?: string;
  readonly shard?: ShardNumber;
  readonly record?: string;
  readonly github?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `touchstone run`: judges a gateway. */
export function runCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('run')
    .summary('judge a gateway, and report')
    .description(
      'Judges a gateway and reports what holds and what does not. Without a target it judges the ' +
        'reference gateway, which it starts itself.',
    )
    .argument('[ids...]', 'only checks whose id starts so: responses/store, rules/')
    .optionsGroup('What to judge:')
    .option('-t, --target <file>', 'a target file (YAML), which describes the gateway')
    .option('--base-url <url>', 'a gateway without a target file; its key in TOUCHSTONE_KEY')
    .option('--model <id>', 'with --base-url: a model to test with; may be repeated', collect)
    .option(
      '--protocol <name>',
      'with --base-url: what the models declare; may be repeated: responses (the default), chat, vendorA-messages, vendorB, systemone',
      collect,
    )
    .addOption(
      new Option(
        '--reference <how>',
        'the reference gateway: in this process, or in containers',
      ).choices(['embedded', 'container']),
    )
    .option(
      '--rerun-failed <report>',
      'only what failed, warned or was undecided in a report.json, with its seed',
    )
    .option(
      '--shard <i/n>',
      'only part i of n, for several machines; see touchstone merge',
      shardNumber,
    )
    .optionsGroup('How:')
    .option('--seed <n>', 'repeat the random data of an earlier run', wholeNumber(0))
    .option('--concurrency <n>', 'requests under way at once', wholeNumber(1))
    .option('--rps <n>', 'requests started in a second, at most', positiveNumber)
    .option(
      '--timeout <ms>',
      'milliseconds for one request, to the end of its answer',
      wholeNumber(100),
    )
    .option('--shuffle', 'start in a random order, which the seed repeats')
    .option('--serial', 'start each scenario when the one before has ended')
    .option('--strict', 'a SHOULD that does not hold fails the run, too')
    .option('--allow-partial', 'exit with 0 although something could not be tested')
    .option(
      '--known-failures <file>',
      'ids that may fail, one on each line; what is listed and does not fail any more fails the run',
    );
  command.optionsGroup('What to write:');
  for (const { name, description } of formats) command.option(`--${name} <file>`, description);
  return command
    .option('--github', 'annotations for GitHub Actions')
    .option('--record <file>', 'every exchange, one line of JSON each; keys are masked')
    .option('-q, --quiet', 'failures and the verdict only')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (ids: string[], options: RunCommandOptions) => {
      exit(await judge(ids, options, terminal));
    });
}

async function judge(
  ids: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const catalogue = loadCatalogue();
  assertKnown(
    ids,
    catalogue.checks.map(({ id }) => id),
  );
  if (options.knownFailures !== undefined) knownFailuresAt(options.knownFailures, catalogue);
  if (options.rerunFailed !== undefined)
    failedIn(reportAt(options.rerunFailed), options.rerunFailed);
  const { html, json, junit, markdown, ctrf, badge, record } = options;
  assertWritable({ html, json, junit, markdown, ctrf, badge, record });
  const progress = showProgress(terminal.stderr, {
    environment: terminal.environment,
    colour: options.color,
  });
  const interruption = interruptible(terminal, (line) => progress.say(line));
  try {
    const { target, close } = await chooseTarget(options, terminal, interruption.signal);
    try {
      return await judgeTarget(target, ids, options, terminal, interruption.signal, progress);
    } catch (error) {
      // Only here are the keys known that an unexpected error might hold.
      const failure = failureOf(error, { ...target.keys });
      terminal.stderr.write(`${failure.message}\n`);
      return failure.exitCode;
    } finally {
      await close();
    }
  } catch (error) {
    // Starting the target was broken off.
    if (!interruption.signal.aborted) throw error;
    return stopped(terminal);
  } finally {
    interruption.release();
  }
}

function stopped(terminal: Terminal): number {
  terminal.stderr.write('Stopped before anything was judged.\n');
  return interrupted;
}

async function judgeTarget(
  target: Target,
  filters: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
  signal: AbortSignal,
  progress: ProgressDisplay,
): Promise<number> {
  if (isForeign(options)) {
    await askAllRegions(target, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  if (signal.aborted) return stopped(terminal);
  // Vitest is loaded for a run only: help, list and serve answer at once.
  const { run } = await import('../check/run.ts');
  const {
    quiet = false,
    github = false,
    strict = false,
    shuffle = false,
    serial = false,
  } = options;
  const { seed, only } = await chosen(target, filters, options);
  const recording = recordingFile(options.record, options.html !== undefined);
  try {
    const ran = run({
      target,
      seed,
      filters,
      ...(only === undefined ? {} : { only }),
      strict,
      sequence: { shuffle, serial },
      signal,
      ...(recording.path === undefined ? {} : { recording: recording.path }),
      ...(quiet ? {} : { onProgress: (seen) => progress.update(seen) }),
    });
    const judged = await ran.finally(() => progress.end());
    const { shard, knownFailures } = options;
    const result = excused(shard === undefined ? judged : { ...judged, shard }, knownFailures);
    // What can still go wrong with a file must not take the verdict with it.
    printReport(result, terminal, { colour: options.color, quiet, github });
    await writeReports(result, options, async () => ({
      views: await exchangeViews(recording.path ?? '', result),
    }));
    return exitCodeOf(result, options.allowPartial ?? false);
  } finally {
    recording.release();
  }
}

/** The seed, and the part of the checks, that the options come to. */
async function chosen(
  target: Target,
  filters: readonly string[],
  { seed, rerunFailed, shard }: RunCommandOptions,
): Promise<{ readonly seed: number; readonly only?: Selection }> {
  const earlier = rerunFailed === undefined ? undefined : reportAt(rerunFailed);
  const failed = earlier === undefined ? undefined : failedIn(earlier, rerunFailed ?? '');
  const only = shard === undefined ? failed : await shardOf(target, filters, shard, failed);
  // The parts of one run share all chance, or they could not be joined.
  const chance = seed ?? earlier?.seed ?? (shard === undefined ? randomInt(2 ** 31) : 1);
  return { seed: chance, ...(only === undefined ? {} : { only }) };
}

function excused(result: RunResult, file: string | undefined): RunResult {
  if (file === undefined) return result;
  return excuse(result, file, knownFailuresAt(file, loadCatalogue()));
}

/** A run that was broken off is not made green by --allow-partial: nobody chose what it left out. */
export function exitCodeOf(result: RunResult, allowPartial: boolean): number {
  if (result.interrupted && result.verdict === 'partial') return exitCodes.undecided;
  return exitCode(result.verdict, { allowPartial });
}

const examples = `
Examples:
  touchstone run
      judge the reference gateway: see what a run looks like, for nothing
  touchstone run --target staging.yaml
      judge the gateway that staging.yaml describes
  touchstone run --target staging.yaml responses/store rules/auth
      only what is about stored responses and about authentication
  export TOUCHSTONE_KEY='<the key>'
  touchstone run --base-url https://gateway.example --model m-1 --protocol responses --protocol chat
      without a target file: what needs to know more of the gateway is untestable
  touchstone run --target staging.yaml --known-failures known.txt
      the run is red when something else breaks, and when something listed is mended
  touchstone run --target staging.yaml --rerun-failed report.json
      after a change: what did not pass the last time, and nothing else
  touchstone run --target staging.yaml --shard 2/4 --json part-2.json
      the second of four parts; touchstone merge part-*.json joins them
  touchstone run --target staging.yaml --html report.html
      a report to read, search and pass on, with both halves of each exchange
  touchstone run --target staging.yaml --json report.json --junit junit.xml
      for continuous integration

Other keys for --base-url: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and
TOUCHSTONE_KEY_RESTRICTED. Every generation costs what the gateway charges for it.`;
