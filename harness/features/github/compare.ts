import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../kernel/core/index.ts';
import { compare, comparisonDocument, explain, inMarkdown } from '../../kernel/report/index.ts';
import { reportAt, UsageError } from '../../kernel/terminal/index.ts';
import { reportsIn } from './reports.ts';

/** The two sides of a comparison, and their names. */
interface Compared {
  /** Reports of the base branch. The folder may be missing. */
  readonly base: string;
  readonly baseName: string;
  readonly now: string;
  /** URL of this run, or undefined if it has none. */
  readonly address: string | undefined;
}

/** Lists failures and fixes since the base branch, in Markdown, for each target. */
export function comparisonOf({ base, baseName, now, address }: Compared): string {
  const reports = reportsIn(now);
  const sections = reports.flatMap((path) => section(join(base, path), join(now, path), baseName));
  return [
    ...(sections.length === 0
      ? ['Touchstone judged nothing: see the log of this run.', '']
      : sections),
    address === undefined
      ? `Compared with ${baseName} by Touchstone.`
      : `Compared with ${baseName} by Touchstone: [this run](${address}).`,
    '',
  ].join('\n');
}

function section(older: string, newer: string, baseName: string): string[] {
  const result = reportAt(newer);
  if (!existsSync(older)) {
    return alone(
      result,
      `There is no report of ${baseName} yet: the next run on that branch keeps one.`,
    );
  }
  let before: RunResult;
  try {
    before = reportAt(older);
  } catch (error) {
    // Another version of the suite wrote the report.
    if (error instanceof UsageError) return alone(result, error.message);
    throw error;
  }
  const comparison = compare({ file: older, result: before }, { file: newer, result });
  return [inMarkdown(comparisonDocument(comparison, { inFull: 30, named: 30 }), 2), ''];
}

function alone(result: RunResult, why: string): string[] {
  const { verdict, why: reason } = explain(result);
  return [`## Touchstone: ${verdict}`, '', reason, '', why, ''];
}
