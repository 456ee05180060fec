import { type Command, InvalidArgumentError } from 'commander';
import {
  allowableCauses,
  type Cause,
  type Restriction,
  restrictionNames,
} from '../../core/index.ts';
import { formats, optionOf, type ReportFiles } from '../../terminal/index.ts';
import { type Declared, declare, type Given } from './declared.ts';
import type { Again } from './invocation.ts';
import { collect, decimal, duration, headerLine, wholeNumber } from './option-values.ts';

/** Help of `--header`, for every command. */
export const headerMeaning = `a header for every request, 'Name: value'; may be repeated; \${NAME} is read from the environment`;

/** Help of `--restriction`, for every command. */
export const restrictionMeaning = `what the gateway does not have, so that it is not asked for; may be repeated: ${restrictionNames.join(', ')}`;

/** The report that `--open` opens if no other is named. */
const openedFile = 'touchstone-report.html';

const group = 'What to judge:';

/** Options of a gateway without a target file. */
const inlineTarget = {
  baseUrl: {
    flags: '--base-url <url>',
    help: 'a gateway without a target file; its key is read from TOUCHSTONE_KEY',
    group,
  },
  model: {
    flags: '--model <id>',
    help: 'with --base-url: a model to test with; may be repeated',
    parse: collect,
    group,
  },
  protocol: {
    flags: '--protocol <name>',
    help: 'with --base-url: a protocol of the models; may be repeated: responses, chat, vendorA-messages, vendorB, systemone (default: those that are seen)',
    parse: collect,
    group,
  },
  header: {
    flags: '--header <line>',
    help: `with --base-url: ${headerMeaning}`,
    parse: headerLine,
    group,
  },
  restriction: {
    flags: '--restriction <name>',
    help: `with --base-url: ${restrictionMeaning}`,
    parse: collectRestriction,
    group,
  },
} as const;

/** Maximum number of generations of a smoke run at a conforming gateway. */
export const smokeGenerations = 10;

/** Bounds on the cost of a run. */
const budget = {
  smoke: {
    flags: '--smoke',
    help: `a quick look at what each protocol promises: ${smokeGenerations} generations at a right gateway, no wrong keys and no malformed input`,
    group,
    isUnrepeated: true,
  },
  generations: {
    flags: '--generations <n>',
    help: 'have n generations served at most: run what costs none, and the checks that notice most planted faults',
    parse: wholeNumber(0, 1e6),
    group,
    isUnrepeated: true,
  },
} as const;

const how = { group: 'How to run:' } as const;

/** Bounds on the rate of requests. */
const rate = {
  concurrency: {
    ...how,
    flags: '--concurrency <n>',
    help: 'concurrent requests',
    parse: wholeNumber(1, 1_000),
  },
  rps: {
    ...how,
    flags: '--rps <n>',
    help: 'requests per second, at most',
    parse: decimal(0.001, 10_000),
  },
  timeout: {
    ...how,
    flags: '--timeout <ms>',
    help: 'milliseconds for one request, to the end of its response',
    parse: wholeNumber(100, 3_600_000),
  },
} as const;

/** Open checks for which a command does not fail. */
const tolerance = {
  allowPartial: {
    ...how,
    flags: '--allow-partial',
    help: 'exit with 0 even if some checks could not be tested',
  },
  allowInconclusive: {
    ...how,
    flags: '--allow-inconclusive <cause>',
    help: `exit with 0 even if checks are inconclusive for this cause; may be repeated: ${allowableCauses.join(', ')}`,
    parse: collectCause,
  },
} as const;

const look = { group: 'Reports:', isUnrepeated: true } as const;

/** Files of the reports. The type says that each has a name. */
const files = Object.fromEntries(
  formats.map(({ name, description, notInput }) => [
    name,
    { ...look, flags: `${optionOf(name)} <file>`, help: description, notInput },
  ]),
) as unknown as Record<keyof ReportFiles, Declared & { readonly flags: `--${string} <file>` }>;

/** Look of a report on the terminal. */
const onTerminal = {
  quiet: {
    ...look,
    flags: '-q, --quiet',
    help: 'print only failures and the verdict',
    conflicts: 'verbose',
  },
  verbose: { ...look, flags: '--verbose', help: 'print every failure in full, and every reason' },
  color: {
    ...look,
    flags: '--no-color',
    help: 'plain text; the NO_COLOR variable does the same',
    notInput: 'the log has colours where the runner wants them',
  },
} as const;

/** Every option of `run`, except those of modifiers. Each value is in `RunCommandOptions`. */
export const runTable = {
  target: {
    flags: '-t, --target <file>',
    help: 'a target file (YAML), which describes the gateway; may be repeated: each is judged (touchstone.yaml)',
    parse: collect,
    group,
    isUnrepeated: true,
  },
  ...inlineTarget,
  reference: {
    flags: '--reference <how>',
    help: 'the reference gateway: in this process, or in containers',
    choices: ['embedded', 'container'],
    group,
  },
  ...budget,
  rerunFailed: {
    flags: '--rerun-failed <report>',
    help: 'run only what failed, warned or was inconclusive in a report.json, with its seed',
    group,
    isUnrepeated: true,
  },
  deadline: {
    flags: '--deadline <time>',
    help: 'end within this time (90s, 10m): what was not asked for by then is inconclusive (out-of-time)',
    parse: duration,
    group,
    isUnrepeated: true,
  },
  seed: {
    ...how,
    flags: '--seed <n>',
    help: 'repeat the random data of an earlier run',
    parse: wholeNumber(0, 1e10),
    isUnrepeated: true,
  },
  ...rate,
  settle: {
    ...how,
    flags: '--settle',
    help: 'ask once more at the end for what any transient failure left undecided; default: for what the gateway put off (429, an overload, a lockout)',
    negation: 'leave that undecided',
  },
  thorough: {
    ...how,
    flags: '--thorough',
    help: 'judge every check in each region, and try what costs generations in more circumstances',
  },
  ...tolerance,
  knownFailures: {
    ...how,
    flags: '--known-failures <file>',
    help: 'a list of ids that may fail, one per line; what could not be judged because of them does not count either. An entry that no longer fails is stale, and one after its day (until 2027-01-31) has expired: both fail the run',
  },
  targetsAtOnce: {
    ...how,
    flags: '--targets-at-once <n>',
    help: 'how many targets are judged at once (4)',
    parse: wholeNumber(1, 100),
    isUnrepeated: true,
  },
  shuffle: {
    ...how,
    flags: '--shuffle',
    help: 'start scenarios in random order; the seed reproduces it',
    isUnrepeated: true,
  },
  serial: {
    ...how,
    flags: '--serial',
    help: 'start each scenario only after the previous one has ended',
    isUnrepeated: true,
  },
  strict: { ...how, flags: '--strict', help: 'a failed SHOULD fails the run, too' },
  ...files,
  open: {
    ...look,
    flags: '--open',
    help: `open the HTML report in the browser, or the command in BROWSER (--html ${openedFile})`,
    implies: { html: openedFile },
    notInput: 'nobody is there to look at it',
  },
  github: {
    ...look,
    flags: '--github',
    help: 'annotations for GitHub Actions',
    notInput: 'what the action is there for',
  },
  ...onTerminal,
  record: {
    ...look,
    flags: '--record <file>',
    help: 'record every exchange, one JSON object per line; keys are masked',
    notInput: 'an input of its own: the file lies in the folder `reports`',
  },
} as const;

type RunTable = typeof runTable;
type Name = keyof RunTable;

function names<Some extends object>(some: Some): readonly (keyof Some)[] {
  return Object.keys(some) as (keyof Some)[];
}

/** Names of options that several commands share. */
export const optionGroups = {
  inlineTarget: names(inlineTarget),
  budget: names(budget),
  rate: names(rate),
  pace: ['seed', ...names(rate), 'settle'],
  tolerance: names(tolerance),
  excuses: [...names(tolerance), 'knownFailures'],
  look: names(onTerminal),
  reports: [...names(files), 'open', 'github', ...names(onTerminal)],
} as const satisfies Readonly<Record<string, readonly Name[]>>;

/** Values of the named options. */
export type GivenOf<Some extends Name> = Given<Pick<RunTable, Some>>;

/** Options for the reports of a command with a verdict. */
export type ReportOptions = GivenOf<(typeof optionGroups.reports)[number]>;

/** Open checks and known failures for which a command does not fail. */
export type Excuses = GivenOf<(typeof optionGroups.excuses)[number]>;

/** Options of `run`: the command line, parsed once and passed on unchanged. */
export interface RunCommandOptions extends Given<RunTable> {
  /** Id prefixes; empty: everything. */
  readonly ids: readonly string[];
  /** Returns the command line that repeats the run; null if it is unknown. */
  readonly again: Again | null;
  /** Start of the command, by the clock of `performance.now()`. */
  readonly since: number;
}

/** Adds options of the table to a command. */
export function add(command: Command, ...some: readonly Name[]): Command {
  return declare(command, runTable, some);
}

function collectCause(text: string, before: readonly Cause[] = []): readonly Cause[] {
  const cause = allowableCauses.find((one) => one === text);
  if (cause !== undefined) return [...before, cause];
  throw new InvalidArgumentError(`Allowed choices are ${allowableCauses.join(', ')}.`);
}

/** Collects restrictions of a gateway. */
export function collectRestriction(
  text: string,
  before: readonly Restriction[] = [],
): readonly Restriction[] {
  const name = restrictionNames.find((one) => one === text);
  if (name !== undefined) return [...before, name];
  throw new InvalidArgumentError(`Known: ${restrictionNames.join(', ')}.`);
}
