import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type RunResult, sideOf } from '../core/result.ts';
import { exitCodes } from '../core/verdict.ts';
import { type Change, difference } from '../report/difference.ts';
import { NoReport, readReport } from '../report/read-report.ts';
import { UsageError } from '../terminal/failure.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `touchstone diff`: what changed between two runs. */
export function diffCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('diff')
    .summary('compare two reports')
    .description(
      'Compares two reports that `run --json` or `client --json` wrote: what broke, what was fixed, what else changed. ' +
        'Exits with 1 when something broke.',
    )
    .argument('<old>', 'the older report.json')
    .argument('<new>', 'the newer report.json')
    .action((older: string, newer: string) => {
      const [before, after] = [reportAt(older), reportAt(newer)];
      if (sideOf(before) !== sideOf(after)) {
        throw new UsageError(
          `${older} is the report of a ${sideOf(before)}, and ${newer} of a ${sideOf(after)}: they have no check in common.`,
        );
      }
      const { regressions, fixes, others } = difference(before, after);
      terminal.stdout.write(
        [
          ...section('Broken', regressions),
          ...section('Fixed', fixes),
          ...section('Changed', others),
          `${regressions.length} broken, ${fixes.length} fixed, ${others.length} otherwise changed.`,
          '',
        ].join('\n'),
      );
      exit(regressions.length === 0 ? exitCodes.conformant : exitCodes.nonconformant);
    });
}

/** @throws {UsageError} when the file cannot be read, or is no report */
export function reportAt(path: string): RunResult {
  try {
    return readReport(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof NoReport) throw new UsageError(error.message);
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${path} cannot be read: ${reason}. Name a report that \`run --json\` wrote.`,
    );
  }
}

function section(title: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap(({ id, from, to, why }) => [
    `  ${id}: ${from} → ${to}`,
    ...(why === '' ? [] : [`      ${why}`]),
  ]);
  return [`${title} (${changes.length})`, ...lines, ''];
}
