import { Command } from 'commander';
import { loadCatalogue } from '../core/catalogue.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { judgeOne } from './judging/judge-one.ts';
import { judgeSeveral } from './judging/judge-several.ts';
import { judgeWatching } from './judging/judge-watching.ts';
import { addInlineTarget, addPace, addReference, addReports } from './options/command-options.ts';
import { assertKnown } from './options/filters.ts';
import { collect, wholeNumber } from './options/option-values.ts';
import type { RunCommandOptions } from './options/run-options.ts';
import { shardNumber } from './options/selection.ts';

/** `touchstone run`: judges a gateway. */
export function runCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('run')
    .summary('judge a gateway, and report')
    .description(
      'Judges a gateway and reports what holds and what does not. Without a target it judges the ' +
        'reference gateway, which it starts itself.',
    )
    .argument('[ids...]', 'only checks whose id starts so: storage/responses, input/')
    .optionsGroup('What to judge:')
    .option(
      '-t, --target <file>',
      'a target file (YAML), which describes the gateway; may be repeated: each is judged',
      collect,
    );
  addReference(addInlineTarget(command))
    .option(
      '--rerun-failed <report>',
      'only what failed, warned or was undecided in a report.json, with its seed',
    )
    .option(
      '--shard <i/n>',
      'only part i of n, for several machines; see touchstone merge',
      shardNumber,
    )
    .optionsGroup('Again and again:')
    .option('-w, --watch', 'run again when the target file changes, or on Enter; Ctrl-C ends it')
    .option(
      '--watch-path <path>',
      'run again when this file or folder changes, too: what your gateway runs; may be repeated',
      collect,
    )
    .option(
      '--watch-delay <ms>',
      'so long nothing may change before a run begins (500)',
      wholeNumber(0),
    )
    .optionsGroup('How:');
  addPace(command)
    .option(
      '--targets-at-once <n>',
      'how many of several targets are judged at once (4)',
      wholeNumber(1),
    )
    .option('--shuffle', 'start in a random order, which the seed repeats')
    .option('--serial', 'start each scenario when the one before has ended')
    .option('--strict', 'a SHOULD that does not hold fails the run, too')
    .option('--allow-partial', 'exit with 0 although something could not be tested')
    .option(
      '--known-failures <file>',
      'ids that may fail, one on each line; what is listed and does not fail any more fails the run',
    );
  return addReports(command)
    .option('--record <file>', 'every exchange, one line of JSON each; keys are masked')
    .addHelpText('after', examples)
    .action(async (ids: string[], options: RunCommandOptions) => {
      exit(await judge(ids, options, terminal));
    });
}

function judge(
  ids: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  assertKnown(
    ids,
    loadCatalogue().checks.map(({ id }) => id),
  );
  if (options.watch === true || options.watchPath !== undefined) {
    return judgeWatching(ids, options, terminal);
  }
  const several = (options.target?.length ?? 0) > 1;
  return several ? judgeSeveral(ids, options, terminal) : judgeOne(ids, options, terminal);
}

const examples = `
Examples:
  touchstone run
      judge the reference gateway: see what a run looks like, for nothing
  touchstone run --target staging.yaml
      judge the gateway that staging.yaml describes
  touchstone run --target staging.yaml storage/responses access/credentials
      only what is about stored responses and about authentication
  export TOUCHSTONE_KEY='<the key>'
  touchstone run --base-url https://gateway.example --model m-1 --protocol responses --protocol chat
      without a target file: what needs to know more of the gateway is untestable
  touchstone run --target staging.yaml --known-failures known.txt
      the run is red when something else breaks, and when something listed is mended
  touchstone run --target staging.yaml --rerun-failed report.json
      after a change: what did not pass the last time, and nothing else
  touchstone run --target dev.yaml --watch-path dist
      while you work on a gateway: after each build, first what did not pass; when that holds, everything
  touchstone run --target staging.yaml --shard 2/4 --json part-2.json
      the second of four parts; touchstone merge part-*.json joins them
  touchstone run --target eu.yaml --target us.yaml --json 'report-{target}.json'
      two gateways: a verdict for each, and the worse one's exit code; {target} stands for the name
      of each, in the names of known failures and earlier reports, too
  touchstone run --target staging.yaml --html report.html
      a report to read, search and pass on, with both halves of each exchange
  touchstone run --target staging.yaml --json report.json --junit junit.xml
      for continuous integration

Other keys for --base-url: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and
TOUCHSTONE_KEY_RESTRICTED. Every generation costs what the gateway charges for it.`;
