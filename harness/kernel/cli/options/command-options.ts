import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  allowableCauses,
  type Cause,
  type Restriction,
  restrictionNames,
} from '../../core/index.ts';
import { formats, optionOf, type ReportFiles } from '../../terminal/index.ts';
import { smokeGenerations } from './budget.ts';
import { collect, headerLine, positiveNumber, wholeNumber } from './option-values.ts';

// Options that several commands have, so that they are called and explained alike everywhere.

/** Options for the reports of a command that gives a verdict. */
export interface ReportOptions extends ReportFiles {
  readonly github?: boolean;
  /** The HTML report is opened. */
  readonly open?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
}

/** Description of `--header` for every command. */
export const headerMeaning = `a header for every request, 'Name: value'; may be repeated; \${NAME} is read from the environment`;

/** The report that `--open` opens, where none is named. */
const openedFile = 'touchstone-report.html';

/** Option that declares what a small gateway does not have. */
export function restrictionOption(where = ''): Option {
  return new Option(
    '--restriction <name>',
    `${where}what the gateway does not have, so that it is not asked for; may be repeated: ${restrictionNames.join(', ')}`,
  ).argParser((text: string, before: readonly Restriction[] = []) => {
    const name = restrictionNames.find((one) => one === text);
    if (name !== undefined) return [...before, name];
    throw new InvalidArgumentError(`Known: ${restrictionNames.join(', ')}.`);
  });
}

/** A gateway without a target file. */
export function addInlineTarget(command: Command): Command {
  return command
    .option(
      '--base-url <url>',
      'a gateway without a target file; its key is read from TOUCHSTONE_KEY',
    )
    .option('--model <id>', 'with --base-url: a model to test with; may be repeated', collect)
    .option(
      '--protocol <name>',
      'with --base-url: a protocol of the models; may be repeated: responses, chat, vendorA-messages, vendorB, systemone (default: those that are seen)',
      collect,
    )
    .option('--header <line>', `with --base-url: ${headerMeaning}`, headerLine)
    .addOption(restrictionOption('with --base-url: '));
}

/** The reference gateway as the target. */
export function addReference(command: Command): Command {
  return command.addOption(
    new Option(
      '--reference <how>',
      'the reference gateway: in this process, or in containers',
    ).choices(['embedded', 'container']),
  );
}

/** Adds the options that limit the rate of requests. */
export function addRate(command: Command): Command {
  return command
    .option('--concurrency <n>', 'concurrent requests', wholeNumber(1))
    .option('--rps <n>', 'requests per second, at most', positiveNumber)
    .option(
      '--timeout <ms>',
      'milliseconds for one request, to the end of its response',
      wholeNumber(100),
    );
}

/** Chance, and how much is asked of a gateway at a time. */
export function addPace(command: Command): Command {
  return addRate(
    command.option('--seed <n>', 'repeat the random data of an earlier run', wholeNumber(0)),
  )
    .option(
      '--settle',
      'ask once more at the end for what any transient failure left undecided; default: for what the gateway put off (429, an overload, a lockout)',
    )
    .option('--no-settle', 'leave that undecided');
}

/** Adds the option that tries more combinations on stored responses. */
export function addThorough(command: Command): Command {
  return command.option(
    '--thorough',
    'try acts on stored responses in every triple of circumstances, not only in every pair',
  );
}

/** Adds the options for the look of a report on the terminal. */
export function addLook(command: Command): Command {
  return command
    .addOption(
      new Option('-q, --quiet', 'print only failures and the verdict').conflicts('verbose'),
    )
    .option('--verbose', 'print every failure in full, and every reason')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same');
}

/** Adds the options that limit the cost of a run. */
export function addBudget(command: Command): Command {
  return command
    .option(
      '--smoke',
      `a quick look at what each protocol promises: ${smokeGenerations} generations at a right gateway, no wrong keys and no malformed input`,
    )
    .option(
      '--generations <n>',
      'ask for n generations at most: run what costs none, and the checks that notice most planted faults',
      wholeNumber(0),
    )
    .option(
      '--tokens <n>',
      'ask for n output tokens at most, by the limits that generations are sent with; input is not counted, and what sets no limit is left out',
      wholeNumber(0),
    );
}

/** Adds the options for load during a run. */
export function addLoad(command: Command): Command {
  return command
    .option(
      '--under-load <n>',
      'keep n ordinary generations of several users in flight meanwhile, each with a word of its own: every promise ' +
        'has to hold as without; the report says beside how many requests there was one',
      wholeNumber(1),
    )
    .option(
      '--load-generations <n>',
      'with --under-load: ask for n of them at most; default: as many as plan --under-load says, which is enough ' +
        'for a gateway whose generations take as long as other requests; a quick one may take more',
      wholeNumber(1),
    );
}

/** Open checks for which a command does not fail. */
export interface Tolerance {
  readonly allowPartial?: boolean;
  /** Causes of what may stay inconclusive. */
  readonly allowInconclusive?: readonly Cause[];
}

/** Open checks and known failures for which a command does not fail. */
export interface Excuses extends Tolerance {
  readonly knownFailures?: string | undefined;
}

/** Adds the options that tolerate open checks. */
export function addTolerance(command: Command): Command {
  return command
    .option('--allow-partial', 'exit with 0 even if some checks could not be tested')
    .option(
      '--allow-inconclusive <cause>',
      `exit with 0 even if checks are inconclusive for this cause; may be repeated: ${allowableCauses.join(', ')}`,
      collectCause,
    );
}

/** Adds the options that tolerate open checks and a list of known failures. */
export function addExcuses(command: Command): Command {
  return addTolerance(command).option(
    '--known-failures <file>',
    'a list of ids that may fail, one per line; what could not be judged because of them does not count either. An entry that no longer fails is stale, and one after its day (until 2027-01-31) has expired: both fail the run',
  );
}

function collectCause(text: string, before: readonly Cause[] = []): readonly Cause[] {
  const cause = allowableCauses.find((one) => one === text);
  if (cause !== undefined) return [...before, cause];
  throw new InvalidArgumentError(`Allowed choices are ${allowableCauses.join(', ')}.`);
}

/** Picks the options for the look of a report. */
export function lookOf(
  options: Pick<ReportOptions, 'color' | 'quiet' | 'verbose' | 'github' | 'open'>,
) {
  const { color: colour, quiet = false, verbose = false, github = false, open = false } = options;
  return { colour, quiet, verbose, github, open };
}

/** Every report, as files and on the terminal. */
export function addReports(command: Command): Command {
  command.optionsGroup('Reports:');
  for (const { name, description } of formats) {
    command.option(`${optionOf(name)} <file>`, description);
  }
  command
    .addOption(
      new Option(
        '--open',
        `open the HTML report in the browser, or the command in BROWSER (--html ${openedFile})`,
      ).implies({ html: openedFile }),
    )
    .option('--github', 'annotations for GitHub Actions');
  return addLook(command);
}
