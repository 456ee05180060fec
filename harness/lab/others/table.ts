import { type RunResult, suiteOf } from '../../core/result.ts';
import type { CheckState } from '../../core/verdict.ts';
import type { OtherGateway } from './gateway.ts';

export interface Judged {
  readonly other: OtherGateway;
  readonly result: RunResult;
}

const shown: readonly CheckState[] = ['pass', 'fail', 'warn', 'inconclusive', 'untestable'];

/** Markdown: one row for each gateway and suite of which something applies. */
export function table(judged: readonly Judged[]): string {
  const rows = judged.flatMap(({ other, result }) => {
    const suites = [...new Set(result.checks.map(({ id }) => suiteOf(id)))];
    const lines = suites.flatMap((suite) => {
      const numbers = countsOf(result, suite);
      return numbers.every((number) => number === 0) ? [] : [['', '', '', suite, ...numbers]];
    });
    const whole = [other.name, other.version, result.verdict, 'all', ...countsOf(result, null)];
    return [whole, ...lines];
  });
  const head = ['gateway', 'version', 'verdict', 'suite', ...shown];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** How many checks came to each of the shown verdicts; `null`: of all suites. */
function countsOf({ checks }: RunResult, suite: string | null): number[] {
  const own = checks.filter(({ id }) => suite === null || suiteOf(id) === suite);
  return shown.map((state) => own.filter(({ verdict }) => verdict.state === state).length);
}
