import { Command } from 'commander';
import { loadCatalogue } from '../core/index.ts';
import type { Terminal } from '../terminal/index.ts';
import { loadModifiers } from './feature.ts';
import { judgeOne } from './judging/judge-one.ts';
import { judgeSeveral } from './judging/judge-several.ts';
import { declare, type Given } from './options/declared.ts';
import { assertKnown } from './options/filters.ts';
import { againOf } from './options/invocation.ts';
import { type RunCommandOptions, runTable } from './options/run-table.ts';
import { usualTarget } from './options/usual-target.ts';

/** Makes `touchstone run`, which judges a gateway. */
export async function runCommand(
  terminal: Terminal,
  exit: (code: number) => void,
): Promise<Command> {
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
    );
  declare(command, runTable);
  const modifiers = await loadModifiers();
  for (const { options } of modifiers) declare(command, options);
  for (const option of command.options) {
    if (everyday.test(option.long ?? '')) option.helpGroup('Everyday:');
  }
  const further = modifiers.map((modifier) => modifier.examples).join('');
  return command
    .addHelpText('after', `${examples}${further}${otherKeys}`)
    .action(async (ids: string[], given: Given<typeof runTable>) => {
      exit(await run({ ...given, ids, again: againOf(command, terminal) }, terminal));
    });
}

/** Options that come first in the help, because most command lines need no others. */
const everyday =
  /^--(target|base-url|model|smoke|rerun-failed|strict|allow-partial|known-failures|html|json|junit|verbose)$/;

/** Judges the targets that a command line names. @returns the exit code */
export async function run(
  given: Omit<RunCommandOptions, 'since'>,
  terminal: Terminal,
): Promise<number> {
  assertKnown(
    given.ids,
    loadCatalogue('both-sides').checks.map(({ id }) => id),
  );
  const file = usualTarget(given, 'reference', terminal);
  const since = performance.now();
  const options = { ...given, since, ...(file === undefined ? {} : { target: [file] }) };
  for (const modifier of await loadModifiers()) modifier.assertUsable(options);
  const severally = (options.target?.length ?? 0) > 1;
  return severally ? judgeSeveral(options, terminal) : judgeOne(options, terminal);
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
  touchstone run --target staging.yaml --smoke --deadline 2m
      a first look: a few promises of each protocol, and an end within two minutes
  touchstone run --target staging.yaml --generations 25
      on a budget: the checks that find most, for 25 generations at most, whatever the gateway serves
  touchstone run --target eu.yaml --target us.yaml --json 'report-{target}.json'
      two gateways: a verdict for each, and the exit code of the worse one; {target} stands for the
      name of each, also in --known-failures and --rerun-failed
  touchstone run --target staging.yaml --html report.html
      a report to read, search and share, with the request and response of each exchange
  touchstone run --target staging.yaml --json report.json --junit junit.xml
      for continuous integration`;

const otherKeys = `

Other keys for --base-url: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and
TOUCHSTONE_KEY_RESTRICTED. Every generation costs what the gateway charges for it.`;
