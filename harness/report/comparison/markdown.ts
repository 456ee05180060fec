import { checkTitle } from '../check-title.ts';
import { type ChangeKind, changeKinds } from '../difference.ts';
import { code, plain, prose } from '../markdown.ts';
import { titleOf } from '../subject.ts';
import { firstOf } from '../words.ts';
import { type Comparison, groupsOf, idsOfGroup, isExcused, movesOf } from './comparison.ts';
import { countsOf } from './console.ts';
import { kindWords, minuteOf, runFacts } from './words.ts';

/** Number of changes that a comment has room for. */
const shownInFull = 30;

/** Two runs in Markdown, for a comment on a pull request or a job summary. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { older, newer, caveats, gotWorse } = comparison;
  const rows = [
    ['', 'older', 'newer'],
    ['---', '---', '---'],
    ['when', minuteOf(older.result), minuteOf(newer.result)],
    ['target', plain(titleOf(older.result)), plain(titleOf(newer.result))],
    ['verdict', older.result.verdict, newer.result.verdict],
    ...runFacts(older.result).map(([name, value], index) => [
      name,
      plain(value),
      plain(runFacts(newer.result)[index]?.[1] ?? ''),
    ]),
  ];
  return [
    `## ${gotWorse ? '❌' : '✅'} ${countsOf(comparison)}`,
    '',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...(caveats.length === 0
      ? []
      : [
          '⚠️ These runs can be compared in part only:',
          '',
          ...caveats.map(({ text }) => `- ${prose(text)}`),
          '',
        ]),
    ...changeKinds.flatMap((kind) => section(comparison, kind)),
  ].join('\n');
}

function section(comparison: Comparison, kind: ChangeKind): string[] {
  const count = comparison.counts[kind];
  if (count === 0) return [];
  const isWorse = kind === 'broken' || kind === 'newly-failing';
  const { title } = kindWords[kind];
  const groups = groupsOf(comparison, kind);
  const lines =
    isWorse || kind === 'fixed'
      ? [
          ...groups.slice(0, shownInFull).map((group) => {
            const { first, changes } = group;
            const known = changes.some((change) => isExcused(change, comparison))
              ? ' (known to fail)'
              : '';
            const why = first.why === '' ? '' : `<br>${plain(first.why.slice(0, 600))}`;
            const detail = isWorse ? `<br>${prose(checkTitle(first.check).words)}${why}` : '';
            return `- ${code(idsOfGroup(group))}: ${first.from} → ${first.to}${known}${detail}`;
          }),
          ...(groups.length > shownInFull
            ? [`- and ${groups.length - shownInFull} more requirements`]
            : []),
        ]
      : movesOf(comparison, kind).map(
          ({ from, to, changes }) =>
            `- ${from} → ${to} (${changes.length}): ${firstOf(changes, 5, code)}`,
        );
  return [
    `<details${isWorse ? ' open' : ''}><summary><b>${title} (${count})</b></summary>`,
    '',
    ...lines,
    '',
    '</details>',
    '',
  ];
}
