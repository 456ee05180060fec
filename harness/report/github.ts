import { verdictThatCounts } from '../core/known-failures.ts';
import type { CheckResult, RunResult } from '../core/result.ts';
import { explain } from './explanation.ts';
import { outcomeOf } from './outcome.ts';
import { type TargetOutcome, wordOf } from './target-outcome.ts';

/**
 * A run as workflow commands of GitHub Actions, which become annotations: one for the verdict, errors
 * for what failed, warnings for broken SHOULDs and what could not be decided. The verdict comes first:
 * of each kind, GitHub shows the first ten of a step.
 */
export function renderGithub(result: RunResult): string {
  return lines([verdictOf(result, ''), ...findingsOf(result, '')]);
}

/** The same of several targets: each annotation names its target. */
export function renderGithubOfTargets(outcomes: readonly TargetOutcome[]): string {
  const all = outcomes.map((outcome) => ({ ...outcome, at: ` at ${outcome.name}` }));
  return lines([
    ...all.map((outcome) =>
      outcome.result === null
        ? command('error', `Touchstone: ${wordOf(outcome)}${outcome.at}`, outcome.why)
        : verdictOf(outcome.result, outcome.at),
    ),
    ...all.flatMap(({ result, at }) => (result === null ? [] : findingsOf(result, at))),
  ]);
}

function lines(commands: readonly string[]): string {
  return commands.map((one) => `${one}\n`).join('');
}

function verdictOf(result: RunResult, at: string): string {
  const { verdict, why, next } = explain(result);
  const counts = verdictThatCounts(result);
  const kind = counts === 'conformant' || counts === 'known-failures' ? 'notice' : 'error';
  return command(kind, `Touchstone: ${verdict}${at}`, `${why} ${next}`);
}

function findingsOf(result: RunResult, at: string): string[] {
  return result.checks.flatMap((check) => annotation(check, result, at));
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
