import { checkStates, type RootCause, type RunResult } from '../core/index.ts';
import { specificationInWords } from './basis.ts';
import { conclusionOfRun } from './conclusion.ts';
import { failuresHeading } from './console.ts';
import { inMarkdown } from './document/markdown.ts';
import {
  aside,
  type Block,
  code,
  countedSection,
  paragraph,
  type ReportDocument,
} from './document/tree.ts';
import { causeSection } from './finding.ts';
import { reasonSection } from './groups.ts';
import { titleOf } from './subject.ts';
import { isAskedFor, type RunSummary, summaryOf } from './summary.ts';
import { type TargetOutcome, targetsDocument } from './target-outcome.ts';
import { stateWords } from './words.ts';

/** Number of causes that are initially unfolded. */
const shownOpen = 3;

/** Maximum size in bytes. GitHub takes 1 MiB for the job summary of a step, and drops a longer one. */
const mostBytes = 1_000_000;

/**
 * Renders a run as Markdown, for a job summary or a comment.
 *
 * @param bytes maximum size. Omitted parts are mentioned
 */
export function renderMarkdown(result: RunResult, bytes = mostBytes): string {
  const summary = summaryOf(result);
  const { byCause, excused, groups, gaps, openGroups } = summary;
  const warnings = byCause.warnings.flatMap(({ failed }) => failed);
  const folded = { folded: 'closed' } as const;
  const { suiteVersion, startedAt } = result;
  const table = suiteTable(summary);
  const ending = paragraph(
    aside(`Touchstone ${suiteVersion}, ${startedAt}. ${specificationInWords(result)}`),
  );
  const documentOf = (...blocks: readonly Block[]): ReportDocument => ({
    kind: 'run',
    title: titleOf(result),
    conclusion: conclusionOfRun(result, true),
    blocks: [table, ...blocks, ending],
  });
  const lists = [
    countedSection(
      'Known failures',
      excused.length,
      [
        {
          block: 'list',
          items: excused.map(({ id, verdict }) => ({ text: [code(id), ': ', verdict.actual] })),
        },
      ],
      folded,
    ),
    countedSection(
      'Warnings: a SHOULD that does not hold',
      warnings.length,
      [
        {
          block: 'list',
          items: warnings.map(({ id, verdict }) => ({
            text: [code(id), `: ${verdict.actual}; expected ${verdict.expected}`],
          })),
        },
      ],
      folded,
    ),
    reasonSection('Inconclusive', openGroups, {}, folded),
    reasonSection('Errors of Touchstone, or of its recording', groups.error, {}, folded),
    reasonSection('Untestable', gaps, {}, folded),
    reasonSection('Left open, as the target file says', summary.leftOpen, {}, folded),
    reasonSection('Not applicable', groups['not-applicable'], {}, folded),
  ];
  const room = bytes - Buffer.byteLength(inMarkdown(documentOf()));
  const causes = failuresIn(byCause.failing, result, room);
  const rest = fitting(lists, room - bytesOf(causes)).flat();
  return inMarkdown(documentOf(...causes, ...rest));
}

/** Several targets in one Markdown document: a table, then each target within its share of the size. */
export function renderMarkdownOfTargets(outcomes: readonly TargetOutcome[]): string {
  const share = Math.floor(mostBytes / outcomes.length);
  return [
    inMarkdown(targetsDocument(outcomes)),
    ...outcomes.flatMap(({ result }) => (result === null ? [] : [renderMarkdown(result, share)])),
  ].join('\n');
}

/** Lists the failures by cause. Causes without room are only named. */
function failuresIn(
  causes: readonly RootCause[],
  result: RunResult,
  bytes: number,
): readonly Block[] {
  if (causes.length === 0) return [];
  const told = causes.map((cause, index): readonly Block[] => [
    causeSection(cause, result, { folded: index < shownOpen ? 'open' : 'closed', named: 20 }),
  ]);
  const heading = failuresHeading(causes);
  const named = (from: number): Block =>
    paragraph([
      'Too long for this page: ',
      ...causes.slice(from).flatMap(({ root }, index) => [index === 0 ? '' : ', ', code(root.id)]),
    ]);
  const shown = fitting(told, bytes - bytesOf([heading, named(0)]));
  return [heading, ...shown.flat(), ...(shown.length < told.length ? [named(shown.length)] : [])];
}

/** The first sections that fit into a size. */
function fitting(sections: readonly (readonly Block[])[], bytes: number) {
  const kept: (readonly Block[])[] = [];
  let left = bytes;
  for (const blocks of sections) {
    left -= bytesOf(blocks);
    if (left < 0) break;
    kept.push(blocks);
  }
  return kept;
}

/** Size of blocks in Markdown, including the lines around them. */
function bytesOf(blocks: readonly Block[]): number {
  const document = { kind: 'run', title: '', conclusion: null, blocks };
  return Buffer.byteLength(inMarkdown(document));
}

function suiteTable({ result, suites }: RunSummary): Block {
  const used = checkStates.filter((state) => result.counts[state] > 0);
  return {
    block: 'table',
    label: 'Suites',
    head: ['suite', ...used.map((state) => stateWords[state])],
    rows: suites.filter(isAskedFor).map(({ name, counts }) => ({
      cells: [name, ...used.map((state) => (counts[state] === 0 ? '' : String(counts[state])))],
    })),
  };
}
