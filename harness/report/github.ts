import type { CheckResult, RunResult } from '../spec/result.ts';
import { explain } from './explanation.ts';
import { outcomeOf } from './outcome.ts';

/**
 * A run as workflow commands of GitHub Actions, which become annotations: errors for what failed,
 * warnings for broken SHOULDs and what could not be decided, and one line for the verdict.
 */
export function renderGithub(result: RunResult): string {
  const annotations = result.checks.flatMap((check) => annotation(check, result));
  const { verdict, why, next } = explain(result);
  const kind = result.verdict === 'conformant' ? 'notice' : 'error';
  return [...annotations, command(kind, `Touchstone: ${verdict}`, `${why} ${next}`), ''].join('\n');
}

function annotation(check: CheckResult, result: RunResult): string[] {
  const { status, message, detail } = outcomeOf(check, result);
  const title = `${check.id} (${check.level})`;
  const told = detail ?? message ?? '';
  if (status === 'failed') return [command('error', title, told)];
  if (status === 'other' || (status === 'passed' && check.verdict.state === 'warn'))
    return [command('warning', title, told)];
  return [];
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
