import { createColors } from 'picocolors';
import { rootCausesOf } from '../../core/index.ts';
import { checkTitle } from '../check-title.ts';
import type { ConsoleOptions } from '../console.ts';
import type { Style } from '../console-finding.ts';
import { type Change, type ChangeKind, changeKinds } from '../difference.ts';
import { printable } from '../printable.ts';
import { titleOf } from '../subject.ts';
import { counted, countsInWords, firstOf } from '../words.ts';
import { labelled, wrap } from '../wrap.ts';
import {
  type ChangeGroup,
  type ComparedRun,
  type Comparison,
  groupsOf,
  idsOfGroup,
  isExcused,
  movesOf,
} from './comparison.ts';
import { kindWords, minuteOf } from './words.ts';

export interface ComparisonOptions extends ConsoleOptions {
  /** Every change in full. */
  readonly verbose?: boolean;
}

/** Number of changes shown in full; the others are named. */
const shownInFull = 5;

/** Two runs for a reader at a terminal: which they are, what stands in the way, and what changed. */
export function renderComparison(comparison: Comparison, options: ComparisonOptions): string {
  const style: Style = {
    colours: createColors(options.colour),
    width: Math.min(Math.max(options.width, 60), 120),
  };
  const verbose = options.verbose ?? false;
  const lines = [
    ...heading(comparison, style),
    ...caveats(comparison, style),
    ...changeKinds.flatMap((kind) => section(comparison, kind, style, verbose)),
    '',
    ...wrap(countsOf(comparison), style.width).map((line) => style.colours.bold(line)),
  ];
  return `${lines.join('\n')}\n`;
}

/** `2 broken, 1 fixed.` */
export function countsOf({ counts }: Comparison): string {
  const told = changeKinds.filter(
    (kind) => kind === 'broken' || kind === 'fixed' || counts[kind] > 0,
  );
  return `${told.map((kind) => `${counts[kind]} ${kindWords[kind].counted}`).join(', ')}.`;
}

function heading({ older, newer }: Comparison, style: Style): string[] {
  return [...runLines('older', older, style), ...runLines('newer', newer, style)];
}

function runLines(
  name: string,
  { file, result }: ComparedRun,
  { colours, width }: Style,
): string[] {
  const paint = {
    conformant: colours.green,
    'known-failures': colours.green,
    nonconformant: colours.red,
    indeterminate: colours.yellow,
    partial: colours.yellow,
  }[result.verdict];
  const room = width - name.length - 2;
  const { suiteVersion, specification, seed } = result;
  return [
    ...labelled(
      `${colours.bold(name)}  `,
      wrap(
        `${minuteOf(result)}  ${colours.bold(printable(titleOf(result)))}  ${paint(result.verdict)}`,
        room,
      ),
    ),
    ...[
      file,
      countsInWords(result.counts).join(', '),
      `Touchstone ${suiteVersion}, specification ${specification.revision}, seed ${seed}`,
    ].flatMap((line) =>
      labelled(' '.repeat(name.length + 2), wrap(printable(line), room)).map(colours.dim),
    ),
  ];
}

function caveats({ caveats }: Comparison, { colours, width }: Style): string[] {
  if (caveats.length === 0) return [];
  return [
    '',
    colours.yellow('! These runs can be compared in part only:'),
    ...caveats.flatMap(({ text }) =>
      labelled('  - ', wrap(printable(text).replaceAll('`', ''), width - 4)),
    ),
  ];
}

function section(
  comparison: Comparison,
  kind: ChangeKind,
  style: Style,
  verbose: boolean,
): string[] {
  const count = comparison.counts[kind];
  if (count === 0) return [];
  const { colours } = style;
  const { title } = kindWords[kind];
  const meaning = `${kindWords[kind].meaning}${kind === 'broken' ? causesOf(comparison) : ''}`;
  const paint = {
    broken: colours.red,
    'newly-failing': colours.red,
    fixed: colours.green,
    'no-longer-judged': colours.yellow,
    'newly-judged': colours.dim,
    other: colours.dim,
  }[kind];
  return [
    '',
    `${colours.bold(paint(`${title} (${count})`))}${meaning === '' ? '' : colours.dim(`  ${meaning}`)}`,
    ...(isInFull(kind, verbose)
      ? groupsOf(comparison, kind).flatMap((group, index) =>
          groupLines(group, comparison, style, verbose || index < shownInFull),
        )
      : movesOf(comparison, kind).flatMap(({ from, to, changes }) =>
          moveLines(`${from} → ${to}`, changes, style),
        )),
  ];
}

/** `; 2 causes`, where several checks broke. */
function causesOf({ newer, changes }: Comparison): string {
  const broken = new Set(changes.filter(({ kind }) => kind === 'broken').map(({ id }) => id));
  const causes = rootCausesOf(newer.result).filter(({ failed }) =>
    failed.some(({ id }) => broken.has(id)),
  );
  return broken.size < 2 ? '' : `; ${counted(causes.length, 'cause')}`;
}

/** Neutral changes are only counted, because a run of a few checks would fill screens with them. */
function isInFull(kind: ChangeKind, verbose: boolean): boolean {
  return verbose || kind === 'broken' || kind === 'newly-failing' || kind === 'fixed';
}

function moveLines(move: string, changes: readonly Change[], { colours, width }: Style): string[] {
  return [
    `  ${move} (${changes.length})`,
    ...labelled('      ', wrap(firstOf(changes, 4), width - 6)).map(colours.dim),
  ];
}

function groupLines(
  group: ChangeGroup,
  comparison: Comparison,
  { colours, width }: Style,
  inFull: boolean,
): string[] {
  const { first, changes } = group;
  const excused = changes.filter((change) => isExcused(change, comparison)).length;
  const known =
    excused === 0
      ? ''
      : ` (${excused === changes.length ? '' : `${excused} of them `}known to fail)`;
  const move = `${first.from} → ${first.to}${known}`;
  const why = printable(first.why).replace(/\s+/g, ' ').trim();
  return [
    ...labelled('  ', wrap(`${colours.bold(idsOfGroup(group))}  ${move}`, width - 2)),
    ...(inFull
      ? labelled('      ', wrap(checkTitle(first.check).words, width - 6)).map(colours.dim)
      : []),
    ...(inFull && why !== '' ? labelled('      ', wrap(why, width - 6)) : []),
  ];
}
