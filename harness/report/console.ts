import { createColors } from 'picocolors';
import { pointsJudged, type RunResult } from '../core/result.ts';
import { finding, type Style, shortFinding } from './console-finding.ts';
import { runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { printable } from './printable.ts';
import { placeInWords, subjectOf, titleOf, trafficInWords } from './subject.ts';
import { type Group, type RunSummary, summaryOf } from './summary.ts';
import {
  counted,
  countsInWords,
  firstOf,
  heldBackInWords,
  lagsInWords,
  mustsAmong,
  observedInWords,
} from './words.ts';
import { labelled, wrap } from './wrap.ts';

export interface ConsoleOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Failures, errors and the verdict only. */
  readonly quiet?: boolean;
}

/** A run for a reader at a terminal: suites, failures in full, the rest by weight, the verdict last. */
export function renderConsole(result: RunResult, options: ConsoleOptions): string {
  const style: Style = {
    colours: createColors(options.colour),
    width: Math.min(Math.max(options.width, 60), 120),
  };
  const quiet = options.quiet ?? false;
  const summary = summaryOf(result);
  const sections = [
    quiet ? [] : suites(summary, style),
    summary.broken.flatMap((check) => ['', ...finding(check, style, result)]),
    ...(quiet ? [] : lesser(summary, style)),
    // The advice of an indeterminate run speaks of it.
    quiet && result.verdict !== 'indeterminate' ? [] : inconclusive(summary, style),
    errors(summary, style),
    ...outdated(result, style),
    ...(quiet ? [] : untested(summary, style)),
    verdict(result, style),
  ];
  return `${sections.flat().join('\n')}\n`;
}

function suites({ result, suites }: RunSummary, style: Style): string[] {
  const width = Math.max(...suites.map(({ name }) => name.length), 0);
  const { colours } = style;
  return [
    colours.bold(`Touchstone ${result.suiteVersion}: ${printable(titleOf(result))}`),
    ...wrap(printable(placeInWords(result)), style.width).map((line) => colours.dim(line)),
    '',
    ...suites.flatMap(({ name, counts }) => {
      const label = `  ${mark(counts, style)} ${name.padEnd(width)}  `;
      const words = countsInWords(counts).join(', ');
      const [first = '', ...rest] = wrap(words, style.width - width - 6);
      return [label + first, ...rest.map((line) => ' '.repeat(width + 6) + line)];
    }),
  ];
}

function mark(counts: RunResult['counts'], { colours }: Style): string {
  if (counts.fail > 0) return colours.red('✗');
  if (counts.error + counts.inconclusive > 0) return colours.yellow('?');
  if (counts.warn > 0) return colours.yellow('!');
  return counts.pass > 0 ? colours.green('✓') : colours.dim('-');
}

/** What did not fail the run: known failures, and broken SHOULDs. */
function lesser(
  { result, excused: known, covered, warnings }: RunSummary,
  style: Style,
): string[][] {
  return [
    section(
      'Known failures',
      `listed in ${printable(result.knownFailures?.file ?? '')}; they do not fail the run`,
      known.length,
      known.flatMap((check) => shortFinding(check, style)),
      style,
    ),
    section(
      'Behind known failures',
      'could not be judged because of them',
      covered.length,
      labelled('  ', wrap(firstOf(covered, 4), style.width - 2)).map(style.colours.dim),
      style,
    ),
    section(
      'Warnings',
      'a SHOULD that does not hold',
      warnings.length,
      warnings.flatMap((check) => shortFinding(check, style)),
      style,
    ),
  ];
}

function inconclusive({ by, groups }: RunSummary, style: Style): string[] {
  const meaning = `${mustsAmong(by.inconclusive)}neither passed nor failed`;
  return grouped('Inconclusive', meaning, groups.inconclusive, style);
}

function errors({ groups }: RunSummary, style: Style): string[] {
  return grouped('Errors', 'internal errors of Touchstone', groups.error, style);
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

function untested({ result, by, groups }: RunSummary, style: Style): string[][] {
  const { unchecked } = result;
  const { untestable, notApplicable, noun } = subjectOf(result);
  return [
    grouped('Untestable', untestable, groups.untestable, style),
    grouped('Not applicable', notApplicable, groups['not-applicable'], style),
    section(
      'Notes',
      'a MAY, with what was seen',
      by.note.length,
      by.note.flatMap((check) => shortFinding(check, style)),
      style,
    ),
    unchecked.length === 0
      ? []
      : [
          '',
          ...wrap(
            `${counted(unchecked.length, 'requirement')} ${noun === 'client' ? 'of a client have no check' : 'cannot be observed over the interface'}; ` +
              '`touchstone list --unchecked` names them, with the reasons.',
            style.width,
          ).map((line) => style.colours.dim(line)),
        ],
  ];
}

function grouped(title: string, meaning: string, found: readonly Group[], style: Style): string[] {
  const { width, colours } = style;
  const lines = found.flatMap((group) => {
    const indent = group.title === null ? '  ' : '    ';
    const reasons = group.reasons.flatMap(({ reason, checks }) => [
      ...labelled(indent, wrap(printable(reason), width - indent.length)),
      ...labelled(`${indent}  `, wrap(firstOf(checks, 4), width - indent.length - 2)).map(
        colours.dim,
      ),
    ]);
    return group.title === null ? reasons : [`  ${group.title} (${group.count})`, ...reasons];
  });
  const count = found.reduce((sum, group) => sum + group.count, 0);
  return section(title, meaning, count, lines, style);
}

function section(
  title: string,
  meaning: string,
  count: number,
  lines: readonly string[],
  { colours }: Style,
): string[] {
  if (count === 0) return [];
  return ['', `${colours.bold(`${title} (${count})`)} ${colours.dim(meaning)}`, ...lines];
}

function verdict(result: RunResult, style: Style): string[] {
  const { colours, width } = style;
  const { verdict, why, next } = explain(result);
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
  const held = [
    ...(by === null ? [] : wrap(`Held back: ${by}.`, width)),
    ...(again === '' ? [] : wrap(again, width)),
  ];
  const late = lagsInWords(result.checks);
  return [
    '',
    '─'.repeat(width),
    colours.bold(paint(`  ${verdict}  `)),
    '',
    ...wrap(why, width),
    ...wrap(facts, width).map((line) => colours.dim(line)),
    ...held.map((line) => colours.dim(line)),
    ...(late === null ? [] : wrap(`Lag: ${late}.`, width).map((line) => colours.dim(line))),
    ...labelled('→ ', wrap(next, width - 2)),
  ];
}
