import { mostBytes, plain, renderMarkdown } from './markdown.ts';
import { allInWords, factsOf, type TargetOutcome, wordOf } from './target-outcome.ts';

/** Several targets in one Markdown document, for a job summary: a table, then each, in its share of it. */
export function renderMarkdownOfTargets(outcomes: readonly TargetOutcome[]): string {
  return [
    `# ${allInWords(outcomes)}`,
    '',
    '| target | verdict | |',
    '|---|---|---|',
    ...outcomes.map(
      (outcome) => `| ${plain(outcome.name)} | ${wordOf(outcome)} | ${plain(factsOf(outcome))} |`,
    ),
    '',
    ...outcomes.flatMap(({ result }) =>
      result === null ? [] : [renderMarkdown(result, Math.floor(mostBytes / outcomes.length))],
    ),
  ].join('\n');
}
