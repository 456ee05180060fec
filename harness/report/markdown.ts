import { createColors } from 'picocolors';
import { checkStates, pointsJudged, type RootCause, type RunResult } from '../core/index.ts';

import { specificationInWords } from './basis.ts';
import { causeInWords } from './cause-words.ts';
import { findingFields } from './console-finding.ts';
import { duration, runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { printable } from './printable.ts';
import { slowest } from './slowest.ts';
import { titleOf, trafficInWords } from './subject.ts';
import { type Group, isAskedFor, type RunSummary, summaryOf } from './summary.ts';
import {
  counted,
  firstOf,
  lagsInWords,
  loadInWords,
  observedInWords,
  recognisableInWords,
  repeatedInWords,
  shadowInWords,
  stateWords,
} from './words.ts';

/** Causes that are open at once, as many as a reader goes through; the others open at a click. */
const shownOpen = 3;

/** Bytes: GitHub takes 1 MiB for the job summary of a step, and shows nothing of a longer one. */
export const mostBytes = 1_000_000;

const icons = {
  conformant: '✅',
  'known-failures': '✅',
  nonconformant: '❌',
  indeterminate: '⚠️',
  partial: '⚠️',
} as const;

/**
 * A run in Markdown, for a job summary or a comment.
 *
 * @param bytes how long it may be: what is too long is left out, and it says so
 */
export function renderMarkdown(result: RunResult, bytes = mostBytes): string {
  const { verdict, why, next } = explain(result);
  const summary = summaryOf(result);
  const { byCause, excused: known, groups, gaps, openGroups } = summary;
  const warnings = byCause.warnings.flatMap(({ failed }) => failed);
  const late = lagsInWords(result.checks);
  const recognisable = recognisableInWords(result.traffic);
  const shadow = shadowInWords(result.traffic);
  const repeated = repeatedInWords(result);
  const load = loadInWords(result.traffic);
  const before = [
    `# ${icons[result.verdict]} ${verdict}: ${plain(titleOf(result))}`,
    '',
    plain(why),
    '',
    ...(repeated === null ? [] : [`Repeated: ${repeated}.`, '']),
    ...suiteTable(summary),
    '',
  ];
  const after = [
    `${plain(next)}`,
    '',
    `Touchstone ${result.suiteVersion}, ${result.observed === undefined ? `seed ${result.seed}` : observedInWords[result.observed]}, ` +
      `judged at ${counted(pointsJudged(result.checks), 'point')}, ` +
      `${trafficInWords(result)} in ${runDuration(result.durationMs)}, ${plain(result.startedAt)}.` +
      (late === null ? '' : ` Lag: ${late}.`) +
      (load === null ? '' : ` Under load: ${load}.`) +
      (recognisable === null ? '' : ` Recognisable by: ${plain(recognisable)}.`) +
      (shadow === null ? '' : ` Official clients: ${plain(shadow)}.`),
    '',
    `<sub>${specificationInWords(result)}</sub>`,
    '',
  ];
  const lists = [
    folded(
      'Known failures',
      known.length,
      known.map(({ id, verdict }) => `- ${code(id)}: ${plain(verdict.actual)}`),
    ),
    folded('Warnings: a SHOULD that does not hold', warnings.length, [
      ...warnings.map(
        ({ id, verdict }) =>
          `- ${code(id)}: ${plain(verdict.actual)}; expected ${plain(verdict.expected)}`,
      ),
    ]),
    grouped('Inconclusive', openGroups),
    grouped('Internal errors of Touchstone', groups.error),
    grouped('Untestable', gaps),
    grouped('Left open, as the target file says', summary.leftOpen),
    grouped('Not applicable', groups['not-applicable']),
    slowestOf(result),
  ];
  const room = bytes - lengthOf([...before, ...after]);
  const causes = failures(byCause.failing, result, room);
  return [...before, ...causes, ...fitting(lists, room - lengthOf(causes)).flat(), ...after].join(
    '\n',
  );
}

/** Lists the failures by cause; those without room are only named. */
function failures(causes: readonly RootCause[], result: RunResult, bytes: number): string[] {
  if (causes.length === 0) return [];
  const failed = causes.reduce((sum, cause) => sum + cause.failed.length, 0);
  const heading = `## Failed: ${counted(causes.length, 'cause')}, ${counted(failed, 'check')}`;
  const told = causes.map((cause, index) => failure(cause, result, index < shownOpen));
  const names = causes.map(({ root }) => code(root.id));
  const shown = fitting(told, bytes - lengthOf([heading, '', ...names]) - 200);
  const rest = names.slice(shown.length);
  return [
    heading,
    '',
    ...shown.flat(),
    ...(rest.length === 0 ? [] : [`Too long for this page: ${rest.join(', ')}.`, '']),
  ];
}

function failure(cause: RootCause, result: RunResult, open: boolean): string[] {
  const { kind, root, failed, waiting } = cause;
  const style = { colours: createColors(false), width: 110 };
  const others = failed.slice(1);
  const more = waiting.length === 0 ? '' : `, ${waiting.length} more could not be judged`;
  return [
    `<details${open ? ' open' : ''}><summary><code>${inHtml(root.id)}</code> (${root.level}): ` +
      `${counted(failed.length, 'check')}${more}</summary>`,
    '',
    ...(kind === 'no-key-checked' ? [plain(causeInWords(cause)), ''] : []),
    prose(root.text),
    '',
    fenced(findingFields(root, style, result).join('\n')),
    '',
    ...(others.length === 0 ? [] : [`Also: ${others.map(({ id }) => code(id)).join(', ')}.`, '']),
    ...(waiting.length === 0
      ? []
      : [`Could not be judged because of it: ${firstOf(waiting, 20, code)}.`, '']),
    '</details>',
    '',
  ];
}

/** The first of them that take no more bytes than that. */
function fitting(sections: readonly (readonly string[])[], bytes: number): readonly string[][] {
  const kept: string[][] = [];
  let left = bytes;
  for (const lines of sections) {
    left -= lengthOf(lines);
    if (left < 0) break;
    kept.push([...lines]);
  }
  return kept;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function suiteTable({ result, suites }: RunSummary): string[] {
  const used = checkStates.filter((state) => result.counts[state] > 0);
  return [
    `| suite | ${used.map((state) => stateWords[state]).join(' | ')} |`,
    `|---|${used.map(() => '--:|').join('')}`,
    ...suites
      .filter(isAskedFor)
      .map(
        ({ name, counts }) =>
          `| ${name} | ${used.map((state) => counts[state] || '').join(' | ')} |`,
      ),
  ];
}

const slowestShown = 10;

function slowestOf(result: RunResult): string[] {
  const shown = slowest(result).slice(0, slowestShown);
  const lines = shown.map(({ name, durationMs, checks }) => {
    const on = checks.length === 0 ? '' : `: ${counted(checks.length, 'check')}`;
    return `- ${duration(durationMs)} ${code(name)}${on}`;
  });
  return folded('Slowest scenarios', lines.length, lines);
}

function grouped(title: string, found: readonly Group[]): string[] {
  const count = found.reduce((sum, group) => sum + group.count, 0);
  const lines = found.flatMap((group) => {
    const reasons = group.reasons.map(
      ({ reason, checks }) => `- ${prose(reason)}: ${firstOf(checks, 5, code)}`,
    );
    if (group.title === null) return reasons;
    return [`- ${group.title} (${group.count})`, ...reasons.map((line) => `  ${line}`)];
  });
  return folded(title, count, lines);
}

function folded(title: string, count: number, lines: readonly string[]): string[] {
  if (count === 0) return [];
  return [`<details><summary>${title} (${count})</summary>`, '', ...lines, '', '</details>', ''];
}

/** Text that stays text, whatever a gateway put into it: on one line, with nothing that formats or mentions. */
export function plain(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~&!]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
    .replaceAll('@', '&#64;');
}

/** Escapes a text for Markdown, but keeps text between backticks as code. */
function prose(text: string): string {
  const pieces = printable(text).replace(/\s+/g, ' ').split('`');
  // A backtick without a partner is a backtick.
  if (pieces.length % 2 === 0) return plain(text);
  return pieces.map((piece, at) => (at % 2 === 1 ? code(piece) : plain(piece))).join('');
}

function inHtml(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** An id, which holds no backtick. */
function code(id: string): string {
  return `\`${id}\``;
}

/** A block whose fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
