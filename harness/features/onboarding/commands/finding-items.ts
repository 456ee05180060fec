import { type ListItem, signOf, type Tone } from '../../../kernel/report/index.ts';
import type { Finding } from '../index.ts';

const marks: Readonly<Record<Finding['mark'], readonly [tone: Tone, sign: string]>> = {
  right: ['pass', '✓'],
  wrong: ['fail', '✗'],
  unreachable: ['fail', '✗'],
  unknown: ['warn', '?'],
};

/** Returns findings as items of a list: a mark for each, with advice. */
export function findingItems(findings: readonly Finding[]): readonly ListItem[] {
  return findings.map(({ mark, what, next }) => ({
    sign: signOf(...marks[mark]),
    text: what,
    below: next === undefined ? [] : [`→ ${next}`],
  }));
}
