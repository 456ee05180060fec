import { createColors } from 'picocolors';
import { pointsJudged, type RunResult } from '../core/result.ts';
import { checkStates } from '../core/verdict.ts';
import { specificationInWords } from './basis.ts';
import { findingFields } from './console-finding.ts';
import { duration, runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { printable } from './printable.ts';
import { slowest } from './slowest.ts';
import { titleOf, trafficInWords } from './subject.ts';
import { type Group, type RunSummary, summaryOf } from './summary.ts';
import { counted, firstOf, lagsInWords, observedInWords, stateWords } from './words.ts';

/** As many as a job summary has room for; the others are named. */
const shownInFull = 50;
/** As many as a reader goes through at once; the others open at a click. */
const shownOpen = 5;

const icons = {
  conformant: '✅',
  'known-failures': '✅',
  nonconformant: '❌',
  indeterminate: '⚠️',
  partial: '⚠️',
} as const;

/** A run in Markdown, for a job summary or a comment. */
export function renderMarkdown(result: RunResult): string {
  const { verdict, why, next } = explain(result);
  const summary = summaryOf(result);
  const { broken, excused: known, warnings, groups } = summary;
  const style = { colours: createColors(false), width: 110 };
  const full = broken
    .slice(0, shownInFull)
    .flatMap((check, index) => [
      `<details${index < shownOpen ? ' open' : ''}><summary><code>${inHtml(check.id)}</code> (${check.level})</summary>`,
      '',
      prose(check.text),
      '',
      fenced(findingFields(check, style, result).join('\n')),
      '',
      '</details>',
      '',
    ]);
  const late = lagsInWords(result.checks);
  const rest = broken.slice(shownInFull).map(({ id }) => code(id));
  return [
    `# ${icons[result.verdict]} ${verdict}: ${plain(titleOf(result))}`,
    '',
    plain(why),
    '',
    ...suiteTable(summary),
    '',
    ...(broken.length > 0 ? [`## Failed (${broken.length})`, '', ...full] : []),
    ...(rest.length > 0 ? [`And ${rest.join(', ')}.`, ''] : []),
    ...folded(
      'Known failures',
      known.length,
      known.map(({ id, verdict }) => `- ${code(id)}: ${plain(verdict.actual)}`),
    ),
    ...folded('Warnings: a SHOULD that does not hold', warnings.length, [
      ...warnings.map(
        ({ id, verdict }) =>
          `- ${code(id)}: ${plain(verdict.actual)}; expected ${plain(verdict.expected)}`,
      ),
    ]),
    ...grouped('Inconclusive', groups.inconclusive),
    ...grouped('Internal errors of Touchstone', groups.error),
    ...grouped('Untestable', groups.untestable),
    ...grouped('Not applicable', groups['not-applicable']),
    ...slowestOf(result),
    `${plain(next)}`,
    '',
    `Touchstone ${result.suiteVersion}, ${result.observed === undefined ? `seed ${result.seed}` : observedInWords[result.observed]}, ` +
      `judged at ${counted(pointsJudged(result.checks), 'point')}, ` +
      `${trafficInWords(result)} in ${runDuration(result.durationMs)}, ${plain(result.startedAt)}.` +
      (late === null ? '' : ` Lag: ${late}.`),
    '',
    `<sub>${specificationInWords(result)}</sub>`,
    '',
  ].join('\n');
}

function suiteTable({ result, suites }: RunSummary): string[] {
  const used = checkStates.filter((state) => result.counts[state] > 0);
  return [
    `| suite | ${used.map((state) => stateWords[state]).join(' | ')} |`,
    `|---|${used.map(() => '--:|').join('')}`,
    ...suites.map(
      ({ name, counts }) => `| ${name} | ${used.map((state) => counts[state] || '').join(' | ')} |`,
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

/** The same, but that what stands between backticks is code. */
export function prose(text: string): string {
  const pieces = printable(text).replace(/\s+/g, ' ').split('`');
  // A backtick without a partner is a backtick.
  if (pieces.length % 2 === 0) return plain(text);
  return pieces.map((piece, at) => (at % 2 === 1 ? code(piece) : plain(piece))).join('');
}

function inHtml(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** An id, which holds no backtick. */
export function code(id: string): string {
  return `\`${id}\``;
}

/** A block whose fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
