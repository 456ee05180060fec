import type { RootCause, RunResult } from '../core/index.ts';
import { conclusionOfRun } from './conclusion.ts';
import { printed, printedLines } from './document/terminal.ts';
import {
  aside,
  type Block,
  countedSection,
  paragraph,
  prose,
  type ReportDocument,
  signOf,
  strong,
  type Tone,
} from './document/tree.ts';
import { explain, type Named, programOf } from './explanation.ts';
import { causeSection, findingSection, shortFinding, sizeInWords } from './finding.ts';
import { causeList, reasonSection, rowsOfCause, sumOf } from './groups.ts';
import { placeInWords, subjectOf, titleOf } from './subject.ts';
import { isAskedFor, type ResultOf, type RunSummary, summaryOf } from './summary.ts';
import { counted, countsInWords, firstOf, mustsAmong } from './words.ts';
import { rowsOf } from './wrap.ts';

export interface ConsoleOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** True to show failures, errors and the verdict only. */
  readonly quiet?: boolean;
  /** True to show every finding and every reason in full. */
  readonly verbose?: boolean;
}

/** Maximum number of rows: two screens of 50, minus the lines printed after the report. */
const mostRows = 90;

/** Renders a run for a terminal. */
export function renderConsole(result: RunResult, options: ConsoleOptions): string {
  return printed(terminalDocument(result, options), options);
}

/**
 * A run for a terminal: suites, failures by cause, everything else by weight, and the verdict last. At most two
 * screens long, unless everything is requested.
 */
function terminalDocument(
  result: RunResult,
  { width, quiet = false, verbose = false }: ConsoleOptions,
): ReportDocument {
  const summary = summaryOf(result);
  const { failing } = summary.byCause;
  const before = quiet ? [] : suiteBlocks(summary, verbose);
  const conclusion = conclusionOfRun(result, verbose);
  const rowsTaken = (blocks: readonly Block[]): number =>
    rowsOf(printedLines(blocks, { colour: false, width }), { columns: Math.max(20, width) });
  const document = { kind: 'run', title: titleOf(result), conclusion };
  if (verbose) {
    const blocks = [...before, ...failuresInFull(failing, result), ...everything(summary)];
    return { ...document, blocks };
  }
  const rowsWith = (blocks: readonly Block[]): number =>
    rowsOf(printed({ ...document, blocks }, { colour: false, width }).split('\n'), {
      columns: Math.max(20, width),
    });
  const after = theRest(summary, quiet, 0);
  const room = mostRows - rowsTaken(before) - rowsWith(after);
  const first = [...before, ...failures(failing, result, room, rowsTaken)];
  // Warnings take the rows that failures leave.
  const fuller = [shown, 3, 2, 1]
    .map((full) => [...first, ...theRest(summary, quiet, full)])
    .find((blocks) => rowsWith(blocks) <= mostRows);
  return { ...document, blocks: fuller ?? [...first, ...after] };
}

/**
 * Everything that did not fail the run, a line for each kind.
 *
 * @param full number of warnings that are shown with their exchange
 */
function theRest(summary: RunSummary, quiet: boolean, full: number): readonly Block[] {
  const { result, byCause, groups, gaps, leftOpen, openGroups, by } = summary;
  const { untestable } = subjectOf(result);
  const { named } = explain(result);
  // Quiet output keeps the part that the advice refers to.
  const ifNamed = (name: Named, blocks: readonly Block[]): readonly Block[] =>
    quiet && named !== name ? [] : blocks;
  const asides = [
    [sumOf(groups['not-applicable']), 'not applicable'],
    [sumOf(leftOpen), 'left open, as the target file says'],
    [by.note.length, by.note.length === 1 ? 'note on a MAY' : 'notes on MAYs'],
    [result.unchecked.length, `not observable (\`${programOf(result)} list --unchecked\`)`],
  ] as const;
  const told = asides.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
  const warnings = byCause.warnings.flatMap(({ failed }) => failed);
  return [
    ...ifNamed('known', known(summary, causeList(byCause.known, shown))),
    ...(quiet ? [] : behindKnown(summary, 4)),
    ...ifNamed(
      'warnings',
      countedSection('Warnings', warnings.length, warningBlocks(byCause.warnings, full), {
        meaning: warned,
      }),
    ),
    ...ifNamed(
      'inconclusive',
      reasonSection('Inconclusive', openGroups, { short: 2 }, open(summary)),
    ),
    ...reasonSection('Errors', groups.error, { short: 1 }, { meaning: internal }),
    ...outdatedKnown(result),
    ...ifNamed(
      'untestable',
      reasonSection('Untestable', gaps, { short: gapLines }, { meaning: untestable }),
    ),
    ...(quiet || told.length === 0
      ? []
      : [
          paragraph(''),
          paragraph(aside(`Besides: ${told.join(', ')}. --verbose shows everything.`)),
        ]),
  ];
}

/** The first warnings with their exchange and a line that repeats it, the others in a list. */
function warningBlocks(causes: readonly RootCause[], full: number): readonly Block[] {
  const items = causes.slice(0, full).map(({ root, failed }) => {
    const more = failed.length === 1 ? '' : `  and ${failed.length - 1} more of this cause`;
    return { ...shortFinding(root), tail: more };
  });
  const others = causes.slice(full);
  return [
    { block: 'list', items },
    ...(others.length === 0 ? [] : [causeList(others, Math.max(1, shown - full))]),
  ];
}

/** Number of lines for a gap, whose advice may name several things to add. */
const gapLines = 4;

/** Number of causes shown that do not fail the run. */
const shown = 6;

const warned = 'a SHOULD that does not hold';
const internal = 'of Touchstone, or of a recording that is not as this suite asks';

/** Everything that did not fail the run, with every reason. */
function everything(summary: RunSummary): readonly Block[] {
  const { result, by, byCause, excused, groups, openGroups } = summary;
  const { untestable, notApplicable } = subjectOf(result);
  const list = (checks: readonly ResultOf<'fail' | 'warn' | 'note'>[]): Block => ({
    block: 'list',
    items: checks.map(shortFinding),
  });
  const warnings = byCause.warnings.flatMap(({ failed }) => failed);
  return [
    ...known(summary, list(excused)),
    ...behindKnown(summary, summary.covered.length),
    ...countedSection('Warnings', warnings.length, [list(warnings)], { meaning: warned }),
    ...reasonSection('Inconclusive', openGroups, {}, open(summary)),
    ...reasonSection('Errors', groups.error, {}, { meaning: internal }),
    ...outdatedKnown(result),
    ...reasonSection('Untestable', groups.untestable, {}, { meaning: untestable }),
    ...reasonSection('Left open', summary.leftOpen, {}, { meaning: 'as the target file says' }),
    ...reasonSection('Not applicable', groups['not-applicable'], {}, { meaning: notApplicable }),
    ...countedSection('Notes', by.note.length, [list(by.note)], {
      meaning: 'a MAY, with what was seen',
    }),
    ...withoutCheck(result),
  ];
}

function known({ result, excused }: RunSummary, list: Block): readonly Block[] {
  const file = result.knownFailures?.file ?? '';
  const meaning = `listed in ${file}; they do not fail the run`;
  return countedSection('Known failures', excused.length, [list], { meaning });
}

function behindKnown({ covered }: RunSummary, most: number): readonly Block[] {
  return countedSection(
    'Behind known failures',
    covered.length,
    [paragraph(aside(firstOf(covered, most)))],
    { meaning: 'could not be judged because of them' },
  );
}

function open(summary: RunSummary) {
  return { meaning: `${mustsAmong(summary.open)}neither passed nor failed` };
}

function suiteBlocks({ result, suites }: RunSummary, verbose: boolean): readonly Block[] {
  return [
    paragraph(strong(`Touchstone ${result.suiteVersion}: ${titleOf(result)}`)),
    paragraph(aside(placeInWords(result))),
    paragraph(''),
    {
      block: 'facts',
      facts: suites.filter(isAskedFor).map(({ name, counts }) => ({
        name: ['  ', markOf(counts), ` ${name}`],
        lines: [countsInWords(verbose ? counts : applicable(counts)).join(', ')],
      })),
    },
  ];
}

/** Omits the count of checks that do not apply, unless there are no others. */
function applicable(counts: RunResult['counts']): RunResult['counts'] {
  const others = { ...counts, 'not-applicable': 0 };
  return Object.values(others).some((count) => count > 0) ? others : counts;
}

function markOf(counts: RunResult['counts']) {
  const marks: readonly (readonly [number, Tone, string])[] = [
    [counts.fail, 'fail', '✗'],
    [counts.error + counts.inconclusive, 'inconclusive', '?'],
    [counts.warn, 'warn', '!'],
    [counts.pass, 'pass', '✓'],
  ];
  const [, tone, sign] = marks.find(([count]) => count > 0) ?? [0, 'excluded' as const, '-'];
  return signOf(tone, sign);
}

/** Entries of the list of known failures that fail the run. */
function outdatedKnown({ knownFailures }: RunResult): readonly Block[] {
  const { file = '', stale = [], expired = [], until = {} } = knownFailures ?? {};
  const list = (entries: readonly string[]): readonly Block[] => [
    { block: 'list', items: entries.map((text) => ({ text })) },
  ];
  return [
    ...countedSection('Stale known failures', stale.length, list(stale), {
      meaning: `nothing of them fails any more: remove them from ${file}`,
    }),
    ...countedSection(
      'Expired known failures',
      expired.length,
      list(expired.map((entry) => `${entry}  until ${until[entry] ?? ''}`)),
      { meaning: `their last day in ${file} is over: they excuse nothing` },
    ),
  ];
}

function withoutCheck(result: RunResult): readonly Block[] {
  const { length } = result.unchecked;
  if (length === 0) return [];
  const what =
    subjectOf(result).noun === 'client'
      ? 'of a client have no check'
      : 'cannot be observed over the interface';
  const text = `${counted(length, 'requirement')} ${what}; \`${programOf(result)} list --unchecked\` names them, with the reasons.`;
  return [paragraph(''), paragraph(aside(prose(text)))];
}

/** Number of causes shown in full: all if there are at most `inFull`, otherwise only the `first`. */
const most = { inFull: 10, first: 3 };

/** Minimum number of further causes that are named on a small terminal. */
const least = 8;

/**
 * The failures by their causes: the first in full, each of the others in one line.
 *
 * @param rows rows of the terminal. The first cause is always shown in full
 */
function failures(
  causes: readonly RootCause[],
  result: RunResult,
  rows: number,
  rowsTaken: (blocks: readonly Block[]) => number,
): readonly Block[] {
  if (causes.length === 0) return [];
  const heading = failuresHeading(causes);
  const shown = causes.slice(0, causes.length > most.inFull ? most.first : most.inFull);
  const all = [heading, ...shown.map((cause) => causeSection(cause, result))];
  if (causes.length <= most.first && rowsTaken(all) <= rows) return all;
  const told = shown.map((cause) => causeSection(cause, result, { short: true }));
  let full = told.length;
  // Leaves room for some of the further causes.
  const needed = (): number =>
    rowsTaken([heading, ...told.slice(0, full)]) +
    Math.min(least, causes.length - full) * rowsOfCause +
    5;
  while (full > 1 && needed() > rows) full--;
  const blocks = [heading, ...told.slice(0, full)];
  const others = causes.slice(full);
  const left = Math.floor((rows - rowsTaken(blocks) - 3) / rowsOfCause);
  const title = aside('checks  the other causes, by one check of each');
  return others.length === 0
    ? blocks
    : [...blocks, { block: 'section', title, blocks: [causeList(others, Math.max(least, left))] }];
}

/** Every finding of every cause. */
function failuresInFull(causes: readonly RootCause[], result: RunResult): readonly Block[] {
  return causes.flatMap((cause): Block[] => [
    { block: 'section', title: `● 1 cause, ${sizeInWords(cause)}`, blocks: [] },
    ...cause.failed.map((check) => findingSection(check, result)),
    ...countedSection('Could not be judged because of it', cause.waiting.length, [
      paragraph(firstOf(cause.waiting, cause.waiting.length)),
    ]),
  ]);
}

/** Heading above the causes, with their number and effect. */
export function failuresHeading(causes: readonly RootCause[]): Block {
  const failed = causes.reduce((sum, cause) => sum + cause.failed.length, 0);
  const waiting = causes.reduce((sum, cause) => sum + cause.waiting.length, 0);
  const besides = waiting === 0 ? '' : ` ${waiting} more could not be judged because of them.`;
  const title = `Failed: ${counted(causes.length, 'cause')}, ${counted(failed, 'check')}.${besides}`;
  return { block: 'section', title, blocks: [] };
}
