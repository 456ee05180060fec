import { type RootCause, sizeOf } from '../core/index.ts';
import { causeInWords } from './cause-words.ts';
import type { Style } from './console-finding.ts';
import { printable } from './printable.ts';
import type { Group } from './summary.ts';
import { counted, firstOf } from './words.ts';
import { labelled, shortened, wrap } from './wrap.ts';

/** A heading with what stands under it; nothing where there is none. */
export function section(
  title: string,
  meaning: string,
  count: number,
  lines: readonly string[],
  { colours, width }: Style,
): string[] {
  if (count === 0) return [];
  const heading = `${title} (${count})`;
  return [
    '',
    `${colours.bold(heading)} ${colours.dim(shortened(meaning, width - heading.length - 1))}`,
    ...lines,
  ];
}

/** A heading, and under it each reason with the checks that give it. */
export function inFull(
  title: string,
  meaning: string,
  found: readonly Group[],
  style: Style,
): string[] {
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
  return section(title, meaning, countOf(found), lines, style);
}

/** Number of groups shown, the largest ones. */
const shownGroups = 12;

/**
 * A heading, and under it a line for each group, the largest first.
 *
 * @param most as many lines as the first group may take
 */
export function inShort(
  title: string,
  meaning: string,
  found: readonly Group[],
  style: Style,
  most = 1,
): string[] {
  const { width, colours } = style;
  const lines = found.slice(0, shownGroups).flatMap(({ title: name, count, reasons }, index) => {
    const [first] = reasons;
    const others = reasons.length - 1;
    const more = others > 0 ? `; ${counted(others, 'other reason')}` : '';
    const text = `${name === null ? '' : `${name}: `}${first?.reason ?? ''}`;
    return counting(count, text, more, width, index === 0 ? most : 1);
  });
  const rest = found.slice(shownGroups);
  const more =
    rest.length === 0 ? [] : [colours.dim(`        and ${countOf(rest)} for other reasons`)];
  return section(title, meaning, countOf(found), [...lines, ...more], style);
}

/** Prints a line for each of the first causes, and the number of the others. */
export function causesInShort(causes: readonly RootCause[], shown: number, style: Style): string[] {
  const { width, colours } = style;
  const rest = causes.slice(shown);
  return [
    ...causes.slice(0, shown).flatMap((cause) => {
      const text = `${cause.root.id}: ${cause.kind === 'no-key-checked' ? causeInWords(cause) : cause.root.verdict.actual}`;
      return counting(sizeOf(cause), text, '', width);
    }),
    ...(rest.length === 0
      ? []
      : [colours.dim(`        and ${counted(rest.length, 'more cause')}: --verbose shows all`)]),
  ];
}

function counting(
  count: number,
  text: string,
  more: string,
  width: number,
  most = 1,
): readonly string[] {
  const label = `${String(count).padStart(6)}  `;
  const line = printable(text).replace(/\s+/g, ' ');
  const room = width - label.length;
  const wrapped = wrap(line, room);
  if (most > 1 && wrapped.length <= most) return labelled(label, wrapped);
  return [`${label}${shortened(line, room - more.length)}${more}`];
}

function countOf(found: readonly Group[]): number {
  return found.reduce((sum, { count }) => sum + count, 0);
}
