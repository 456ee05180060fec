import { inOneLine, quoted, type ReportDocument, subjectOf } from '../../kernel/report/index.ts';
import type { Verification } from './judged-bundle.ts';
import { less, levels, nonconformant, over, rejected } from './levels.ts';
import { reproduction } from './reproduce.ts';
import { summaryRows } from './summary.ts';

/** The first word, its claim, and the exit code. */
export function outcomeOf(verification: Verification): {
  readonly word: string;
  readonly claim: string;
  readonly exitCode: number;
} {
  if (verification.level === null) {
    if (verification.isOver) return over;
    return verification.isLess ? less : rejected;
  }
  const { bundle, level } = verification;
  return bundle.report.verdict === 'conformant' ? levels[level] : nonconformant;
}

/** Result of `verify` on a bundle. The bundle may try to mislead its reader. */
export function verificationDocument(
  folder: string,
  verification: Verification,
  program?: string,
): ReportDocument {
  const name = quoted(folder);
  const { word, claim } = outcomeOf(verification);
  const document = { kind: 'certificate', title: '' };
  if (verification.level === null) {
    const said = `${word}: ${name} ${claim}.`;
    const after = [problemList(verification.problems)];
    return { ...document, conclusion: { tone: null, word: null, said, after }, blocks: [] };
  }
  const { bundle, level } = verification;
  const { noun } = subjectOf(bundle.report);
  const said = `${word}: ${name} ${claim} ${noun}. ${levels[level].worth}`;
  const [repeat, line] = reproduction(folder, bundle.report, program);
  return {
    ...document,
    conclusion: { tone: null, word: null, said, after: [] },
    blocks: [
      {
        block: 'facts',
        facts: summaryRows(bundle).map(([label, { text }]) => ({ name: label, lines: [text] })),
      },
      {
        block: 'section',
        title: repeat,
        blocks: [{ block: 'paragraph', text: { span: 'command', text: line } }],
      },
    ],
  };
}

const shownProblems = 30;

function problemList(problems: readonly string[]): ReportDocument['blocks'][number] {
  const shown = problems.slice(0, shownProblems);
  const rest = problems.length - shown.length;
  const items = shown.map((problem) => ({ sign: '-', text: inOneLine(problem) }));
  return {
    block: 'list',
    items: rest > 0 ? [...items, { text: `… and ${rest} more` }] : items,
  };
}
