import type { CheckResult, RunResult } from '../spec/result.ts';
import { explain } from './explanation.ts';
import { outcomeOf } from './outcome.ts';
import { type TargetOutcome, wordOf } from './target-outcome.ts';

/**
 * A run as workflow commands of GitHub Actions, which become annotations: errors for what failed,
 * warnings for broken SHOULDs and what could not be decided, and one line for the verdict.
 */
export function renderGithub(result: RunResult): string {
  return commands(result, '');
}

/** The same of several targets: each annotation names its target. */
export function renderGithubOfTargets(outcomes: readonly TargetOutcome[]): string {
  return outcomes
    .map((outcome) => {
      const at = ` at ${outcome.name}`;
      if (outcome.result !== null) return commands(outcome.result, at);
      return `${command('error', `Touchstone: ${wordOf(outcome)}${at}`, outcome.why)}\n`;
    })
    .join('');
}

function commands(result: RunResult, at: string): string {
  const annotations = result.checks.flatMap((check) => annotation(check, result, at));
  const { verdict, why, next } = explain(result);
  const kind = result.verdict === 'conformant' ? 'notice' : 'error';
  const end = command(kind, `Touchstone: ${verdict}${at}`, `${why} ${next}`);
  return [...annotations, end, ''].join('\n');
}

function annotation(check: CheckResult, result: RunResult, at: string): string[] {
  const { status, message, detail } = outcomeOf(check, result);
  const title = `${check.id} (${check.level})${at}`;
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
