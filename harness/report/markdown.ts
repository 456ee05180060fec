import { createColors } from 'picocolors';
import type { RunResult } from '../core/result.ts';
import { checkStates } from '../core/verdict.ts';
import { finding } from './console-finding.ts';
import { explain } from './explanation.ts';
import { printable } from './printable.ts';
import {
  brokenIn,
  counted,
  excusedIn,
  type Group,
  grouped,
  resultsOf,
  stateWords,
  tallySuites,
} from './tally.ts';

/** As many as a job summary has room for; the others are named. */
const shownInFull = 50;

const icons = {
  conformant: '✅',
  nonconformant: '❌',
  indeterminate: '⚠️',
  partial: '⚠️',
} as const;

/** A run in Markdown, for a job summary or a comment. */
export function renderMarkdown(result: RunResult): string {
  const { verdict, why, next } = explain(result);
  const broken = brokenIn(result);
  const known = excusedIn(result);
  const warnings = result.strict ? [] : resultsOf(result, 'warn');
  const full = broken.slice(0, shownInFull).flatMap((check) => [
    `### ${code(check.id)} (${check.level})`,
    '',
    plain(check.text),
    '',
    fenced(
      finding(check, { colours: createColors(false), width: 110 })
        .slice(1)
        .join('\n'),
    ),
    '',
  ]);
  const rest = broken.slice(shownInFull).map(({ id }) => code(id));
  return [
    `# ${icons[result.verdict]} ${verdict}: ${plain(result.target.name)}`,
    '',
    plain(why),
    '',
    ...suiteTable(result),
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
    ...groups('Inconclusive', grouped(resultsOf(result, 'inconclusive'))),
    ...groups('Errors of Touchstone itself', grouped(resultsOf(result, 'error'))),
    ...groups('Untestable', grouped(resultsOf(result, 'untestable'))),
    ...groups('Not applicable', grouped(resultsOf(result, 'not-applicable'))),
    `${plain(next)}`,
    '',
    `Touchstone ${result.suiteVersion}, seed ${result.seed}, ` +
      `${counted(result.traffic.requests, 'request')}, ` +
      `${counted(result.traffic.generations, 'generation')}, ${plain(result.startedAt)}.`,
    '',
  ].join('\n');
}

function suiteTable(result: RunResult): string[] {
  const used = checkStates.filter((state) => result.counts[state] > 0);
  return [
    `| suite | ${used.map((state) => stateWords[state]).join(' | ')} |`,
    `|---|${used.map(() => '--:|').join('')}`,
    ...tallySuites(result).map(
      ({ suite, counts }) =>
        `| ${suite} | ${used.map((state) => counts[state] || '').join(' | ')} |`,
    ),
  ];
}

function groups(title: string, found: readonly Group[]): string[] {
  const count = found.reduce((sum, group) => sum + group.count, 0);
  const lines = found.flatMap((group) => {
    const reasons = group.reasons.map(({ reason, ids }) => {
      const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
      return `- ${plain(reason)}: ${ids.slice(0, 5).map(code).join(', ')}${rest}`;
    });
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
