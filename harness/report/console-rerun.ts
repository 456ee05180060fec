import { createColors } from 'picocolors';
import type { RunResult } from '../core/index.ts';
import type { ConsoleOptions } from './console.ts';
import { finding, type Style } from './console-finding.ts';
import { difference } from './difference.ts';
import { runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { printable } from './printable.ts';
import { summaryOf } from './summary.ts';
import { counted, countsInWords, firstOf } from './words.ts';
import { labelled, shortened, widest, wrap } from './wrap.ts';

/** Results of a further run of the same gateway. */
export interface Rerun {
  /** Results known before. */
  readonly before: RunResult;
  /** Results of this run. */
  readonly latest: RunResult;
  /** Results known now. */
  readonly now: RunResult;
  /** True if only a part was run and the rest follows: the results so far are not conclusive. */
  readonly moreFollows: boolean;
}

/** Number of findings shown in full; the others are named. */
const shownInFull = 8;

/**
 * A further run for the one who works on the gateway: what fails, in full where it is not as it was
 * before, what that run fixed and broke, and the verdict in two lines.
 */
export function renderRerun(
  { before, latest, now, moreFollows }: Rerun,
  options: ConsoleOptions,
): string {
  const colours = createColors(options.colour);
  const style: Style = { colours, width: Math.min(Math.max(options.width, 60), 120) };
  const judged = new Set(
    latest.checks.filter(({ verdict }) => verdict.state !== 'excluded').map(({ id }) => id),
  );
  const broken = summaryOf(now).broken.filter(({ id }) => judged.has(id));
  const seen = new Map(before.checks.map((check) => [check.id, inOneLine(check.verdict)]));
  const same = broken.filter(({ id, verdict }) => seen.get(id) === inOneLine(verdict));
  const told = new Set(same.map(({ id }) => id));
  const others = broken.filter(({ id }) => !told.has(id));
  const { regressions, fixes } = difference(before, now);
  const lines = [
    ...same.map(
      ({ id, level }) => `${colours.red('✗')} ${id}  ${level}  ${colours.dim('as before')}`,
    ),
    ...others.slice(shownInFull).map(({ id, level }) => `${colours.red('✗')} ${id}  ${level}`),
    ...others.slice(0, shownInFull).flatMap((check) => ['', ...finding(check, style)]),
    ...(['error', 'inconclusive'] as const).flatMap((state) =>
      summaryOf(latest)
        .groups[state].flatMap(({ reasons }) => reasons)
        .map(
          ({ reason, checks }) =>
            `${colours.yellow('?')} ${firstOf(checks, 3)}  ${colours.dim(inShort(reason))}`,
        ),
    ),
    '',
    ...list('Fixed', fixes, colours.green, style),
    ...list('Broken', regressions, colours.red, style),
  ];
  const { requests } = latest.traffic;
  const counts = moreFollows ? '' : `${countsInWords(now.counts).join(', ')}. `;
  const sent = `${counted(judged.size, 'check')}, ${counted(requests, 'request')} in ${runDuration(latest.durationMs)}.`;
  return [
    ...lines,
    ...(moreFollows ? [] : verdictOf(now, style)),
    ...wrap(`${counts}This time ${sent}`, style.width).map((line) => colours.dim(line)),
    '',
  ].join('\n');
}

function verdictOf(now: RunResult, { colours, width }: Style): string[] {
  const { verdict, why } = explain(now);
  const paint = {
    conformant: colours.green,
    'known-failures': colours.green,
    nonconformant: colours.red,
    indeterminate: colours.yellow,
    partial: colours.yellow,
  }[now.verdict];
  return wrap(`${verdict}: ${why}`, width).map((line) => colours.bold(paint(line)));
}

/** Shortens a reason to one line; the reports have it whole. */
function inShort(reason: string): string {
  return shortened(printable(reason).replace(/\s+/g, ' '), 120);
}

function inOneLine(verdict: RunResult['checks'][number]['verdict']): string {
  return 'actual' in verdict
    ? `${verdict.state} ${verdict.expected} ${verdict.actual}`
    : verdict.state;
}

function list(
  title: string,
  changes: readonly { readonly id: string }[],
  paint: (text: string) => string,
  { width }: Style,
): string[] {
  if (changes.length === 0) return [];
  const label = `${title} (${changes.length}): `;
  const shown = wrap(firstOf(changes, 10), width - widest([label]));
  return labelled(label, shown).map((line) => paint(line));
}
