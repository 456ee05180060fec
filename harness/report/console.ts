import { createColors } from 'picocolors';
import { pointsJudged, type RunResult } from '../core/index.ts';
import { failures, failuresInFull } from './console-causes.ts';
import { type Style, shortFinding } from './console-finding.ts';
import { causesInShort, inFull, inShort, section } from './console-lists.ts';
import { runDuration } from './duration.ts';
import { explain, type Named, programOf } from './explanation.ts';
import { printable } from './printable.ts';
import { placeInWords, subjectOf, titleOf, trafficInWords } from './subject.ts';
import { type Group, isAskedFor, type ResultOf, type RunSummary, summaryOf } from './summary.ts';
import {
  brokenInWords,
  counted,
  countsInWords,
  firstOf,
  heldBackInWords,
  lagsInWords,
  loadInWords,
  mustsAmong,
  observedInWords,
  recognisableInWords,
  repeatedInWords,
  shadowInWords,
} from './words.ts';
import { labelled, rowsOf, wrap } from './wrap.ts';

export interface ConsoleOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Failures, errors and the verdict only. */
  readonly quiet?: boolean;
  /** Every finding and every reason in full. */
  readonly verbose?: boolean;
}

/** Rows that a run may take: two screens of 50, without what is printed after it. */
const mostRows = 90;

/**
 * A run for a reader at a terminal: suites, what failed by its causes, the rest by weight, the verdict last.
 * It is two screens long at most, unless everything is asked for.
 */
export function renderConsole(result: RunResult, options: ConsoleOptions): string {
  const { colour, width, quiet = false, verbose = false } = options;
  const style: Style = {
    colours: createColors(colour),
    width: Math.min(Math.max(width, 60), 120),
  };
  const summary = summaryOf(result);
  const { failing } = summary.byCause;
  const before = quiet ? [] : suites(summary, style, verbose);
  const after = [
    ...(verbose ? everything(summary, style) : theRest(summary, style, quiet)),
    ...verdict(result, style, verbose),
  ];
  const columns = Math.max(20, width);
  const room = mostRows - rowsOf([...before, ...after], { columns });
  const lines = [
    ...before,
    ...(verbose
      ? failuresInFull(failing, result, style)
      : failures(failing, result, style, { rows: room, columns })),
    ...after,
  ];
  return `${lines.join('\n')}\n`;
}

/** Prints everything that did not fail the run, a line for each kind. */
function theRest(summary: RunSummary, style: Style, quiet: boolean): string[] {
  const { result, byCause, groups, gaps, leftOpen, openGroups, by } = summary;
  const { untestable } = subjectOf(result);
  const { named } = explain(result);
  // Quiet output keeps the part that the advice refers to.
  const ifNamed = (name: Named, lines: readonly string[]): readonly string[] =>
    quiet && named !== name ? [] : lines;
  const asides = [
    [sizeOf(groups['not-applicable']), 'not applicable'],
    [sizeOf(leftOpen), 'left open, as the target file says'],
    [by.note.length, by.note.length === 1 ? 'note on a MAY' : 'notes on MAYs'],
    [result.unchecked.length, `not observable (\`${programOf(result)} list --unchecked\`)`],
  ] as const;
  const told = asides.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
  return [
    ...ifNamed('known', known(summary, causesInShort(byCause.known, shown, style), style)),
    ...(quiet ? [] : behindKnown(summary, 4, style)),
    ...ifNamed(
      'warnings',
      section(
        'Warnings',
        warned,
        byCause.warnings.flatMap(({ failed }) => failed).length,
        causesInShort(byCause.warnings, shown, style),
        style,
      ),
    ),
    ...ifNamed('inconclusive', inShort('Inconclusive', meaningOfOpen(summary), openGroups, style)),
    ...inShort('Errors', internal, groups.error, style),
    ...outdated(result, style).flat(),
    ...ifNamed('untestable', inShort('Untestable', untestable, gaps, style, gapLines)),
    ...(quiet || told.length === 0
      ? []
      : [
          '',
          ...wrap(`Besides: ${told.join(', ')}. --verbose shows everything.`, style.width).map(
            style.colours.dim,
          ),
        ]),
  ];
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** Lines of a gap, whose advice may name several things to add. */
const gapLines = 4;

/** Number of causes shown that do not fail the run. */
const shown = 6;

const warned = 'a SHOULD that does not hold';
const internal = 'internal errors of Touchstone';

/** All that did not fail the run, with every reason. */
function everything(summary: RunSummary, style: Style): string[] {
  const { result, by, byCause, excused, groups, openGroups } = summary;
  const { untestable, notApplicable } = subjectOf(result);
  const short = (checks: readonly ResultOf<'fail' | 'warn' | 'note'>[]): string[] =>
    checks.flatMap((check) => shortFinding(check, style));
  const warnings = byCause.warnings.flatMap(({ failed }) => failed);
  return [
    ...known(summary, short(excused), style),
    ...behindKnown(summary, summary.covered.length, style),
    ...section('Warnings', warned, warnings.length, short(warnings), style),
    ...inFull('Inconclusive', meaningOfOpen(summary), openGroups, style),
    ...inFull('Errors', internal, groups.error, style),
    ...outdated(result, style).flat(),
    ...inFull('Untestable', untestable, groups.untestable, style),
    ...inFull('Left open', 'as the target file says', summary.leftOpen, style),
    ...inFull('Not applicable', notApplicable, groups['not-applicable'], style),
    ...section('Notes', 'a MAY, with what was seen', by.note.length, short(by.note), style),
    ...unchecked(result, style),
  ];
}

function known({ result, excused }: RunSummary, lines: readonly string[], style: Style): string[] {
  const file = printable(result.knownFailures?.file ?? '');
  const meaning = `listed in ${file}; they do not fail the run`;
  return section('Known failures', meaning, excused.length, lines, style);
}

function behindKnown({ covered }: RunSummary, shown: number, style: Style): string[] {
  const ids = labelled('  ', wrap(firstOf(covered, shown), style.width - 2));
  const meaning = 'could not be judged because of them';
  return section(
    'Behind known failures',
    meaning,
    covered.length,
    ids.map(style.colours.dim),
    style,
  );
}

function meaningOfOpen({ open }: RunSummary): string {
  return `${mustsAmong(open)}neither passed nor failed`;
}

function suites({ result, suites }: RunSummary, style: Style, verbose: boolean): string[] {
  const width = Math.max(...suites.map(({ name }) => name.length), 0);
  const { colours } = style;
  return [
    colours.bold(`Touchstone ${result.suiteVersion}: ${printable(titleOf(result))}`),
    ...wrap(printable(placeInWords(result)), style.width).map((line) => colours.dim(line)),
    '',
    ...suites.filter(isAskedFor).flatMap(({ name, counts }) => {
      const label = `  ${mark(counts, style)} ${name.padEnd(width)}  `;
      const words = countsInWords(verbose ? counts : applicable(counts)).join(', ');
      const [first = '', ...rest] = wrap(words, style.width - width - 6);
      return [label + first, ...rest.map((line) => ' '.repeat(width + 6) + line)];
    }),
  ];
}

/** Leaves out the count of checks that do not apply, unless there are no others. */
function applicable(counts: RunResult['counts']): RunResult['counts'] {
  const others = { ...counts, 'not-applicable': 0 };
  return Object.values(others).some((count) => count > 0) ? others : counts;
}

function mark(counts: RunResult['counts'], { colours }: Style): string {
  if (counts.fail > 0) return colours.red('✗');
  if (counts.error + counts.inconclusive > 0) return colours.yellow('?');
  if (counts.warn > 0) return colours.yellow('!');
  return counts.pass > 0 ? colours.green('✓') : colours.dim('-');
}

/** Entries of the list of known failures that fail the run. */
function outdated({ knownFailures }: RunResult, style: Style): string[][] {
  const { stale = [], expired = [], until = {} } = knownFailures ?? {};
  const file = printable(knownFailures?.file ?? '');
  return [
    section(
      'Stale known failures',
      `nothing of them fails any more: remove them from ${file}`,
      stale.length,
      stale.map((entry) => `  ${entry}`),
      style,
    ),
    section(
      'Expired known failures',
      `their last day in ${file} is over: they excuse nothing`,
      expired.length,
      expired.map((entry) => `  ${entry}  until ${until[entry] ?? ''}`),
      style,
    ),
  ];
}

function unchecked(result: RunResult, { width, colours }: Style): string[] {
  const { length } = result.unchecked;
  if (length === 0) return [];
  const what =
    subjectOf(result).noun === 'client'
      ? 'of a client have no check'
      : 'cannot be observed over the interface';
  const text = `${counted(length, 'requirement')} ${what}; \`${programOf(result)} list --unchecked\` names them, with the reasons.`;
  return ['', ...wrap(text, width).map((line) => colours.dim(line))];
}

function verdict(result: RunResult, style: Style, verbose: boolean): string[] {
  const { colours, width } = style;
  const { verdict, why, advice, typed } = explain(result);
  const paint =
    result.verdict === 'conformant' || result.verdict === 'known-failures'
      ? (text: string) => colours.bgGreen(colours.black(text))
      : result.verdict === 'nonconformant'
        ? (text: string) => colours.bgRed(colours.white(text))
        : (text: string) => colours.bgYellow(colours.black(text));
  const facts =
    `${countsInWords(result.counts).join(', ')}; judged at ${counted(pointsJudged(result.checks), 'point')}. ` +
    `${trafficInWords(result)} in ${runDuration(result.durationMs)}. ` +
    (result.observed === undefined
      ? `Seed ${result.seed}.`
      : `${observedInWords[result.observed]}.`);
  const by = heldBackInWords(result.traffic);
  const { settled } = result.traffic;
  const again =
    settled === undefined
      ? ''
      : `${counted(settled.checks, 'undecided check')} asked for once more at the end: ${settled.decided} decided since.`;
  const broken = brokenInWords(result.traffic);
  const held = [
    ...(broken === null ? [] : wrap(`${broken}.`, width)),
    ...(by === null ? [] : wrap(`Held back: ${by}.`, width)),
    ...(again === '' ? [] : wrap(again, width)),
  ];
  const late = lagsInWords(result.checks);
  const recognisable = verbose ? recognisableInWords(result.traffic) : null;
  const shadow = shadowInWords(result.traffic);
  const repeated = repeatedInWords(result);
  const load = loadInWords(result.traffic);
  return [
    '',
    '─'.repeat(width),
    colours.bold(paint(`  ${verdict}  `)),
    '',
    ...wrap(why, width),
    ...(repeated === null ? [] : wrap(`Repeated: ${repeated}.`, width)),
    ...wrap(facts, width).map((line) => colours.dim(line)),
    ...held.map((line) => colours.dim(line)),
    ...(late === null ? [] : wrap(`Lag: ${late}.`, width).map((line) => colours.dim(line))),
    ...(load === null ? [] : wrap(`Under load: ${load}.`, width).map((line) => colours.dim(line))),
    ...(recognisable === null
      ? []
      : wrap(`Recognisable by: ${recognisable}.`, width).map((line) => colours.dim(line))),
    ...(shadow === null
      ? []
      : wrap(`Official clients: ${shadow}.`, width).map((line) => colours.dim(line))),
    ...labelled('→ ', wrap(advice, width - 2)),
    // The command stays on one line, so that it can be copied.
    ...(typed === null ? [] : [`  ${printable(typed)}`]),
  ];
}
