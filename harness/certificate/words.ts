import { inOneLine, labelled, padded, quoted, subjectOf, widest, wrap } from '../report/index.ts';
import { less, levels, nonconformant, rejected } from './levels.ts';
import { reproduction } from './reproduce.ts';
import { type Row, summaryRows } from './summary.ts';
import type { Verification } from './verify.ts';

/** Output of `verify` on a bundle. The bundle may come from a party that wants to be believed. */
export interface VerificationInWords {
  readonly exitCode: number;
  /** @param width of the terminal, in columns */
  readonly lines: (width: number) => readonly string[];
}

/** The first word, what it claims, and the exit code. */
export function outcomeOf(verification: Verification): {
  readonly word: string;
  readonly claim: string;
  readonly exitCode: number;
} {
  if (verification.level === null) return verification.isLess ? less : rejected;
  const { bundle, level } = verification;
  return bundle.report.verdict === 'conformant' ? levels[level] : nonconformant;
}

export function verificationInWords(
  folder: string,
  verification: Verification,
  program?: string,
): VerificationInWords {
  const name = quoted(folder);
  const { word, claim, exitCode } = outcomeOf(verification);
  if (verification.level === null) {
    const problems = problemLines(verification.problems);
    return { exitCode, lines: () => [`${word}: ${name} ${claim}.`, ...problems] };
  }
  const { bundle, level } = verification;
  const { noun } = subjectOf(bundle.report);
  const conclusion = `${word}: ${name} ${claim} ${noun}. ${levels[level].worth}`;
  const repeated = reproduction(folder, bundle.report, program);
  return {
    exitCode,
    lines: (width) => [...rowLines(summaryRows(bundle), width), '', ...repeated, '', conclusion],
  };
}

/** A value that is longer than a line goes on below itself: nothing of it begins a line. */
function rowLines(rows: readonly Row[], width: number): string[] {
  const labels = widest(rows.map(([label]) => label)) + 2;
  return rows.flatMap(([label, { text }]) =>
    labelled(
      padded(label, labels),
      width === Number.POSITIVE_INFINITY ? [text] : wrap(text, width - labels),
    ),
  );
}

/** Number of problems that are shown. */
const shownProblems = 30;

function problemLines(problems: readonly string[]): string[] {
  const shown = problems.slice(0, shownProblems).map((problem) => `  - ${inOneLine(problem)}`);
  const rest = problems.length - shown.length;
  return rest > 0 ? [...shown, `  … and ${rest} more`] : shown;
}
