import type { CheckDefinition, Requirement } from '../core/index.ts';
import { type Block, paragraph } from '../report/index.ts';

/** Explains one requirement. */
export type Explain = (
  requirement: Requirement,
  checks: readonly CheckDefinition[],
) => Promise<readonly Block[]>;

/** Returns a part of an explanation with its title, or nothing if it has no lines. */
export function titled(title: string, lines: readonly string[]): readonly Block[] {
  if (lines.length === 0) return [];
  const rows = lines.flatMap((line) => line.trimEnd().split('\n'));
  return [{ block: 'section', title, blocks: rows.map((row) => paragraph(row)) }];
}

/** Returns the explanation of a requirement, whose checks are given. */
export function explained(
  { id, level, text, axis }: Requirement,
  [first, ...others]: readonly CheckDefinition[],
  parts: readonly Block[],
): readonly Block[] {
  const title = axis !== null && others.length === 0 && first !== undefined ? first.id : id;
  const blocks = [paragraph(text), ...parts];
  return [{ block: 'section', title: `${title} (${level})`, blocks }];
}
