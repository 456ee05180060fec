import { markdownTable } from 'markdown-table';
import type { CheckState, RunResult } from '../../kernel/core/index.ts';
import type { OtherGateway } from './gateway.ts';

export interface Judged {
  readonly other: OtherGateway;
  readonly result: RunResult;
}

/** Markdown: a row for each gateway, as the page has it. */
export function table(judged: readonly Judged[]): string {
  const head = [
    'gateway',
    'version',
    'verdict',
    'passed',
    'MUST failed',
    'MUST undecided',
    'untestable',
    'warned',
  ];
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
  return markdownTable([head, ...rows]);
}

function count({ checks }: RunResult, state: CheckState, only?: 'MUST'): string {
  const found = checks.filter(
    ({ level, verdict }) => verdict.state === state && (only === undefined || level === only),
  );
  return `${found.length}`;
}
