import { failsRun, printable, type RunResult } from '../core/index.ts';
import { shortened } from './wrap.ts';

const longest = 160;

/**
 * A first list of known failures: the failures of this run that no list has yet, each with its finding and its date.
 */
export function renderKnownFailures(result: RunResult): string {
  const { target, startedAt, checks, strict, knownFailures } = result;
  const day = startedAt.slice(0, 10);
  const failed = checks.filter(
    (check) => failsRun(check, strict) && knownFailures?.excused.includes(check.id) !== true,
  );
  const entries = failed.flatMap(({ id, verdict }) =>
    'actual' in verdict ? [`${id}  # ${day}: ${reason(verdict.actual)}`] : [],
  );
  return [
    `# What is known to fail at ${inOneLine(target.name)}. \`run --known-failures\` takes this file.`,
    '# An entry that no longer fails, or whose last day is over, fails the run. With a last day:',
    '# storage/deletion.served  until 2027-01-31  # why it fails, and who fixes it',
    ...entries,
    '',
  ].join('\n');
}

function reason(text: string): string {
  return shortened(inOneLine(text), longest);
}

function inOneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
