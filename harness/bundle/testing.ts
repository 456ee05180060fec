import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderJson } from '../report/json.ts';
import { readReport } from '../report/read-report.ts';
import type { CheckResult, RunResult } from '../spec/result.ts';
import { checkStates, runVerdict } from '../spec/verdict.ts';
import { seal } from './dsse.ts';
import { readEnvironment } from './environment.ts';
import { attestedFiles, bundleFiles, sumsOf, writtenSums } from './files.ts';
import type { SigningKey } from './keys.ts';
import { reproduction } from './reproduce.ts';
import { statementOf, statementType } from './statement.ts';

/** For tests: what somebody would do who wants to be believed. */

/**
 * Makes a bundle agree with itself again, after one of its files was changed: everything that follows
 * from the report, the statement and all sums.
 */
export function makeConsistent(folder: string, key: SigningKey | null): void {
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const report = readReport(text(bundleFiles.report), bundleFiles.report);
  const environment = readEnvironment(text(bundleFiles.environment));
  write(bundleFiles.reproduce, reproduction(report, environment));
  const statement = statementOf(report, environment, sumsOf(folder, attestedFiles));
  const envelope = seal(statementType, Buffer.from(JSON.stringify(statement)), key);
  write(bundleFiles.attestation, `${JSON.stringify(envelope, null, 2)}\n`);
  makeSums(folder);
}

/** Only the sums. */
export function makeSums(folder: string): void {
  const sums = sumsOf(folder, [...attestedFiles, bundleFiles.attestation]);
  writeFileSync(join(folder, bundleFiles.sums), writtenSums(sums));
}

/** Changes the checks of a report; its counts and its verdict follow. */
export function changeChecks(
  folder: string,
  change: (checks: readonly CheckResult[]) => readonly CheckResult[],
): void {
  changeReport(folder, (report) => {
    const checks = change(report.checks);
    const count = (state: string): number =>
      checks.filter(({ verdict }) => verdict.state === state).length;
    const counts = { ...report.counts };
    for (const state of checkStates) counts[state] = count(state);
    return { ...report, checks, counts, verdict: runVerdict(checks, { strict: report.strict }) };
  });
}

export function changeReport(folder: string, change: (report: RunResult) => RunResult): void {
  const path = join(folder, bundleFiles.report);
  writeFileSync(path, renderJson(change(readReport(readFileSync(path, 'utf8'), path))));
}

/** Changes the recorded lines; the first is the header. */
export function changeLines(
  folder: string,
  change: (lines: readonly string[]) => readonly string[],
): void {
  const path = join(folder, bundleFiles.exchanges);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`);
}
