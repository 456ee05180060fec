import type { RootCause } from '../core/index.ts';
import { causeInWords } from './cause-words.ts';
import {
  aside,
  type Block,
  countedSection,
  type DocumentSection,
  type ListItem,
  prose,
} from './document/tree.ts';
import type { Group } from './summary.ts';
import { counted, firstOf } from './words.ts';

/** Limits on reasons and causes. */
interface GroupDetail {
  /** One line for each group, the largest first. The first may have this many lines. */
  readonly short?: number;
  /** Number of checks that are named with each reason. */
  readonly named?: number;
}

/** A section with each reason and its checks. Empty if there are none. */
export function reasonSection(
  title: string,
  groups: readonly Group[],
  { short, named = 4 }: GroupDetail,
  more: Partial<DocumentSection> = {},
): readonly Block[] {
  const blocks: readonly Block[] =
    short === undefined
      ? groups.map((group) => groupBlock(group, named))
      : [{ block: 'list', items: shortItems(groups, short) }];
  return countedSection(title, sumOf(groups), blocks, more);
}

function groupBlock({ title, count, reasons }: Group, named: number): Block {
  const items = reasons.map(({ reason, checks }) => ({
    text: prose(reason),
    below: [aside(firstOf(checks, named))],
  }));
  const list: Block = { block: 'list', items };
  return title === null ? list : { block: 'section', title, count, blocks: [list] };
}

/** Number of groups shown, the largest ones. */
const shownGroups = 12;

function shortItems(groups: readonly Group[], most: number): readonly ListItem[] {
  const rest = groups.slice(shownGroups);
  return [
    ...groups.slice(0, shownGroups).map(({ title, count, reasons }, index) => {
      const others = reasons.length - 1;
      const text = `${title === null ? '' : `${title}: `}${reasons[0]?.reason ?? ''}`;
      const tail = others > 0 ? `; ${counted(others, 'other reason')}` : '';
      return countingItem(count, text, { tail, most: index === 0 ? most : 1 });
    }),
    ...(rest.length === 0
      ? []
      : [{ sign: padding, text: aside(`and ${sumOf(rest)} for other reasons`) }]),
  ];
}

/** Maximum number of rows of a cause in a list. */
export const rowsOfCause = 2;

/** A list with a line or two for each of the first causes, and the number of the others. */
export function causeList(causes: readonly RootCause[], shown: number): Block {
  const rest = causes.slice(shown);
  const items = causes.slice(0, shown).map((cause) => {
    const { root, kind } = cause;
    const { difference, actual } = root.verdict;
    // Without the places, of which reports tell, what is wrong fits.
    const said = kind === 'no-key-checked' ? causeInWords(cause) : (difference?.actual ?? actual);
    const { length } = cause.waiting;
    const tail = length === 0 ? '' : `; ${length} more could not be judged`;
    return countingItem(cause.failed.length, `${root.id}: ${said}`, { most: rowsOfCause, tail });
  });
  const more = `and ${counted(rest.length, 'more cause')}: --verbose shows all`;
  return {
    block: 'list',
    items: rest.length === 0 ? items : [...items, { sign: padding, text: aside(more) }],
  };
}

const padding = ' '.repeat(4);

function countingItem(count: number, text: string, more: Partial<ListItem>): ListItem {
  const sign = `${String(count).padStart(padding.length)} `;
  return { sign, text: text.replace(/\s+/g, ' '), ...more };
}

/** Total number of checks in groups. */
export function sumOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
