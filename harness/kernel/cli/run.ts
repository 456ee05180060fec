import { Command } from 'commander';
import { loadCatalogue } from '../core/index.ts';
import { type Terminal, UsageError } from '../terminal/index.ts';
import { judgeOne } from './judging/judge-one.ts';
import { judgeSeveral } from './judging/judge-several.ts';
import { judgeWatching } from './judging/judge-watching.ts';
import {
  addBudget,
  addExcuses,
  addInlineTarget,
  addLoad,
  addPace,
  addReference,
  addReports,
  addThorough,
} from './options/command-options.ts';
import { assertKnown } from './options/filters.ts';
import { type Again, againOf } from './options/invocation.ts';
import { collect, duration, wholeNumber } from './options/option-values.ts';
import { type GivenRunOptions, type RunCommandOptions, runOptions } from './options/run-options.ts';
import { shardNumber } from './options/selection.ts';
import { usualTarget } from './options/usual-target.ts';

/** `touchstone run`: judges a gateway. */
export function runCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('run')
    .summary('judge a gateway, and report')
    .description(
      'Judges a gateway and reports which requirements hold. Without a target it takes touchstone.yaml of this ' +
        'folder. Where there is none it judges the reference gateway, as `touchstone demo` does, and says so; in ' +
        'CI it exits with 3.',
    )
    .argument(
      '[ids...]',
      'which checks: id prefixes (storage/responses, input/), or all of a protocol (@messages)',
    )
    .optionsGroup('What to judge:')
    .option(
      '-t, --target <file>',
      'a target file (YAML), which describes the gateway; may be repeated: each is judged (touchstone.yaml)',
      collect,
    );
  addBudget(addReference(addInlineTarget(command)))
    .option(
      '--rerun-failed <report>',
      'run only what failed, warned or was inconclusive in a report.json, with its seed',
    )
    .option(
      '--shard <i/n>',
      'run only shard i of n, to split a run over several machines; see touchstone merge',
      shardNumber,
    )
    .option(
      '--repeat <n>',
      'judge n rounds, each with ids, words and prompts of its own: one verdict, and how often each check held; finds what breaks only at times',
      wholeNumber(1),
    )
    .option(
      '--deadline <time>',
      'end within this time (90s, 10m): what was not asked for by then is inconclusive (out-of-time)',
      duration,
    )
    .optionsGroup('Watch mode:')
    .option('-w, --watch', 'run again when the target file changes, or on Enter; Ctrl-C ends it')
    .option(
      '--watch-path <path>',
      'also run again when this file or folder changes (the code of your gateway); may be repeated',
      collect,
    )
    .option(
      '--watch-delay <ms>',
      'how long nothing may change before a run starts, in milliseconds (500)',
      wholeNumber(0),
    )
    .optionsGroup('How to run:');
  addExcuses(addThorough(addLoad(addPace(command))))
    .option('--targets-at-once <n>', 'how many targets are judged at once (4)', wholeNumber(1))
    .option('--shuffle', 'start scenarios in random order; the seed reproduces it')
    .option('--serial', 'start each scenario only after the previous one has ended')
    .option('--strict', 'a failed SHOULD fails the run, too');
  return addReports(command)
    .option('--record <file>', 'record every exchange, one JSON object per line; keys are masked')
    .addHelpText('after', examples)
    .action(async (ids: string[], options: GivenRunOptions) => {
      exit(await judge(ids, options, terminal, againOf(command, terminal)));
    });
}

/**
 * Judges what a command line names. Gives the exit code.
 *
 * @param again how it is typed again
 */
export function judge(
  ids: readonly string[],
  given: GivenRunOptions,
  terminal: Terminal,
  again: Again,
): Promise<number> {
  assertKnown(
    ids,
    loadCatalogue().checks.map(({ id }) => id),
  );
  const file = usualTarget(given, 'reference', terminal);
  const named = file === undefined ? given : { ...given, target: [file] };
  const options = runOptions(ids, named, again);
  if (options.repeat !== null) assertRepeatable(options);
  if (options.load !== null && (options.watch !== null || options.shard !== undefined)) {
    throw new UsageError(
      '--under-load puts load beside one whole run: leave out --watch and --shard.',
    );
  }
  if (options.watch !== null) return judgeWatching(options, terminal);
  return options.targets.length > 1 ? judgeSeveral(options, terminal) : judgeOne(options, terminal);
}

/** @throws {UsageError} */
function assertRepeatable({ watch, shard }: RunCommandOptions): void {
  const others = [
    ...(watch === null ? [] : ['--watch']),
    ...(shard === undefined ? [] : ['--shard']),
  ];
  if (others.length === 0) return;
  throw new UsageError(
    `--repeat judges whole rounds, one after another: leave out ${others.join(', ')}. To share rounds among ` +
      'machines, let each judge some, without --seed: each draws rounds of its own.',
  );
}

const examples = `
Examples:
  touchstone run
      judge the gateway that touchstone.yaml of this folder describes, as touchstone init writes it
  touchstone run --target staging.yaml
      judge the gateway that staging.yaml describes
  touchstone run --target staging.yaml storage/responses access/credentials
      only the checks about stored responses and authentication
  touchstone run --target staging.yaml @messages
      only the checks about one protocol: @responses, @chat-completions, @messages, @generative,
      @systemone; @models: the model lists
  export TOUCHSTONE_KEY='<the key>'
  touchstone run --base-url https://gateway.example --model m-1 --protocol responses --protocol chat
      without a target file: checks that need more information are untestable
  touchstone run --target staging.yaml --known-failures known.txt
      the run fails when something else fails, when a listed check is fixed (a stale entry), and when
      the day of an entry is over; what could not be judged because of a listed check does not count
  touchstone run --target staging.yaml --write-known-failures known.txt
      a first list: what fails now, with what was wrong and the day; edit it, and commit it
  touchstone run --target staging.yaml --rerun-failed report.json
      after a change: only what did not pass the last time
  touchstone run --target dev.yaml --watch-path dist
      while you work on a gateway: after each build, what did not pass; once that passes, everything
  touchstone run --target staging.yaml --shard 2/4 --json part-2.json
      the second of four shards; touchstone merge part-*.json merges their reports
  touchstone run --target staging.yaml --smoke --deadline 2m
      a first look: a few promises of each protocol, and an end within two minutes
  touchstone run --target staging.yaml access/owners --repeat 50
      what breaks once in a while: 50 rounds of these checks, with the rate at which each held
  touchstone run --target staging.yaml --smoke --under-load 4
      what breaks only beside other users: four generations of theirs in flight meanwhile
  touchstone run --target staging.yaml --generations 25
      on a budget: the checks that find most, for 25 generations at most, whatever the gateway serves
  touchstone run --target eu.yaml --target us.yaml --json 'report-{target}.json'
      two gateways: a verdict for each, and the exit code of the worse one; {target} stands for the
      name of each, also in --known-failures and --rerun-failed
  touchstone run --target staging.yaml --html report.html
      a report to read, search and share, with the request and response of each exchange
  touchstone run --target staging.yaml --json report.json --junit junit.xml
      for continuous integration

Other keys for --base-url: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and
TOUCHSTONE_KEY_RESTRICTED. Every generation costs what the gateway charges for it.`;
