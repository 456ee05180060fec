import type { CheckDefinition, Requirement } from '../core/index.ts';
import { printable, wrap } from '../report/index.ts';

/** Explains one requirement, in lines. */
export type Explain = (
  requirement: Requirement,
  checks: readonly CheckDefinition[],
  width: number,
) => Promise<string[]>;

/** Returns a part of an explanation with its title, or nothing if it has no lines. */
export function titled(title: string, lines: readonly string[], width: number): string[] {
  if (lines.length === 0) return [];
  return [`  ${title}`, ...lines.flatMap((line) => indented(line, width, 4)), ''];
}

/** Wraps and indents a text. */
export function indented(text: string, width: number, by = 2): string[] {
  return printable(text)
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrap(line, width - by)))
    .map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}
