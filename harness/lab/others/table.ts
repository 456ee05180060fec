import { markdownTable } from 'markdown-table';
import type { CheckState, RunResult } from '../../kernel/core/index.ts';
import type { OtherGateway } from './gateway.ts';

export interface Judged {
  readonly other: OtherGateway;
  readonly result: RunResult;
}

/** Markdown: a row for each gateway, as the page has it. */
export function table(judged: readonly Judged[]): string {
  const undecided = 'MUST undecided';
  const head = ['gateway', 'version', 'verdict', 'passed', 'MUST failed', undecided];
  const rows = judged.map(({ other, result }) => [
    `\`${other.name}\``,
    other.version,
    result.verdict,
    count(result, 'pass'),
    count(result, 'fail'),
    count(result, 'inconclusive', 'MUST'),
    count(result, 'untestable'),
    count(result, 'warn'),
  ]);
  return markdownTable([[...head, 'untestable', 'warned'], ...rows]);
}

function count({ checks }: RunResult, state: CheckState, only?: 'MUST'): string {
  const counted = checks.filter(
    ({ level, verdict }) => verdict.state === state && level === (only ?? level),
  );
  return `${counted.length}`;
}
