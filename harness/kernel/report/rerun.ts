import type { RunResult } from '../core/index.ts';
import { verdictTones } from './comparison/words.ts';
import type { ConsoleOptions } from './console.ts';
import { difference } from './difference.ts';
import { printed } from './document/terminal.ts';
import { aside, type Block, type ListItem, paragraph, signOf, toned } from './document/tree.ts';
import { runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { findingSection } from './finding.ts';
import { summaryOf } from './summary.ts';
import { counted, countsInWords, firstOf } from './words.ts';

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
  const judged = new Set(
    latest.checks.filter(({ verdict }) => verdict.state !== 'excluded').map(({ id }) => id),
  );
  const broken = summaryOf(now).broken.filter(({ id }) => judged.has(id));
  const seen = new Map(before.checks.map((check) => [check.id, comparable(check.verdict)]));
  const isSame = ({ id, verdict }: (typeof broken)[number]): boolean =>
    seen.get(id) === comparable(verdict);
  const others = broken.filter((check) => !isSame(check));
  const { regressions, fixes } = difference(before, now);
  const named = [...broken.filter(isSame), ...others.slice(shownInFull)].map(
    (check): ListItem => ({
      sign: signOf('fail', '✗'),
      text: [`${check.id}  ${check.level}`, aside(isSame(check) ? '  as before' : '')],
    }),
  );
  const open = (['error', 'inconclusive'] as const).flatMap((state) =>
    summaryOf(latest).groups[state].flatMap(({ reasons }) => reasons),
  );
  const counts = moreFollows ? '' : `${countsInWords(now.counts).join(', ')}. `;
  const sent = `${counted(judged.size, 'check')}, ${counted(latest.traffic.requests, 'request')} in ${runDuration(latest.durationMs)}.`;
  const blocks: readonly Block[] = [
    { block: 'list', items: named },
    ...others.slice(0, shownInFull).map((check) => findingSection(check)),
    {
      block: 'list',
      items: open.map(({ reason, checks }) => ({
        sign: signOf('inconclusive', '?'),
        text: [`${firstOf(checks, 3)}  `, aside(reason.replace(/\s+/g, ' '))],
        most: 2,
      })),
    },
    paragraph(''),
    ...changedLine('Fixed', fixes, 'pass'),
    ...changedLine('Broken', regressions, 'fail'),
    ...(moreFollows ? [] : [verdictLine(now)]),
    paragraph(aside(`${counts}This time ${sent}`)),
  ];
  return printed({ kind: 'run', title: '', conclusion: null, blocks }, options);
}

function verdictLine(now: RunResult): Block {
  const { verdict, why } = explain(now);
  return paragraph(toned(verdictTones[now.verdict], `${verdict}: ${why}`));
}

function comparable(verdict: RunResult['checks'][number]['verdict']): string {
  return 'actual' in verdict
    ? `${verdict.state} ${verdict.expected} ${verdict.actual}`
    : verdict.state;
}

function changedLine(
  title: string,
  changes: readonly { readonly id: string }[],
  tone: 'pass' | 'fail',
): readonly Block[] {
  if (changes.length === 0) return [];
  const sign = toned(tone, `${title} (${changes.length}):`);
  return [paragraph(toned(tone, firstOf(changes, 10)), { sign })];
}
