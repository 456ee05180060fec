import { rootCausesOf } from '../../core/index.ts';
import { checkTitle } from '../check-title.ts';
import { type ChangeKind, changeKinds } from '../difference.ts';
import {
  aside,
  type Block,
  code,
  countedSection,
  type Fact,
  type ListItem,
  prose,
  type ReportDocument,
  strong,
  type Tone,
  toned,
} from '../document/tree.ts';
import { titleOf } from '../subject.ts';
import { counted, countsInWords, firstOf } from '../words.ts';
import {
  type ChangeGroup,
  type ComparedRun,
  type Comparison,
  groupsOf,
  idsOfGroup,
  isExcused,
  movesOf,
} from './comparison.ts';
import { kindWords, minuteOf, verdictTones } from './words.ts';

/** Limits on changes. Further ones are counted, with a few of their ids. */
export interface ComparisonDetail {
  /** Number of broken or fixed requirements that are shown with their texts. */
  readonly inFull: number;
  /** Minimum number of requirements that are named. */
  readonly named?: number;
  /** True to name neutral changes, too. */
  readonly verbose?: boolean;
}

/** Two runs with their metadata, the caveats of the comparison, and the changes. */
export function comparisonDocument(
  comparison: Comparison,
  detail: ComparisonDetail,
): ReportDocument {
  const { older, newer, caveats, gotWorse, counts } = comparison;
  const told = changeKinds.filter(
    (kind) => kind === 'broken' || kind === 'fixed' || counts[kind] > 0,
  );
  return {
    kind: 'comparison',
    title: '',
    conclusion: {
      tone: gotWorse ? 'fail' : 'pass',
      word: null,
      said: `${told.map((kind) => `${counts[kind]} ${kindWords[kind].counted}`).join(', ')}.`,
      after: [],
    },
    blocks: [
      { block: 'facts', facts: [runFact('older', older), runFact('newer', newer)] },
      ...(caveats.length === 0
        ? []
        : [
            {
              block: 'section' as const,
              title: 'These runs can be compared in part only',
              tone: 'warn' as const,
              blocks: [
                {
                  block: 'list' as const,
                  items: caveats.map(({ text }) => ({ sign: '-', text: prose(text) })),
                },
              ],
            },
          ]),
      ...changeKinds.flatMap((kind) => kindSection(comparison, kind, detail)),
    ],
  };
}

function runFact(name: string, { file, result }: ComparedRun): Fact {
  const { suiteVersion, specification, seed, verdict } = result;
  return {
    name,
    lines: [
      [
        `${minuteOf(result)}  `,
        strong(titleOf(result)),
        '  ',
        toned(verdictTones[verdict], verdict),
      ],
      aside(file),
      aside(countsInWords(result.counts).join(', ')),
      aside(`Touchstone ${suiteVersion}, specification ${specification.revision}, seed ${seed}`),
    ],
  };
}

const tones: Readonly<Record<ChangeKind, Tone>> = {
  ...{ broken: 'fail', 'newly-failing': 'fail', fixed: 'pass' },
  ...{ 'no-longer-judged': 'warn', 'newly-judged': 'excluded', other: 'excluded' },
};

function kindSection(
  comparison: Comparison,
  kind: ChangeKind,
  { inFull, named = Number.POSITIVE_INFINITY, verbose = false }: ComparisonDetail,
): readonly Block[] {
  const { title, meaning } = kindWords[kind];
  const isWorse = kind === 'broken' || kind === 'newly-failing';
  const said = `${meaning}${kind === 'broken' ? causesOf(comparison) : ''}`;
  // Neutral changes are only counted, because a run of a few checks would fill screens with them.
  const groups = isWorse || kind === 'fixed' || verbose ? groupsOf(comparison, kind) : [];
  const rest = groups.length - named;
  const items =
    groups.length > 0
      ? groups
          .slice(0, named)
          .map((group, index) => groupItem(group, comparison, verbose || index < inFull))
      : movesOf(comparison, kind).map(({ from, to, changes }) => ({
          text: `${from} → ${to} (${changes.length})`,
          below: [aside(firstOf(changes, 4))],
        }));
  const more = rest > 0 ? [{ text: `and ${rest} more requirements` }] : [];
  return countedSection(
    title,
    comparison.counts[kind],
    [{ block: 'list', items: [...items, ...more] }],
    {
      tone: tones[kind],
      folded: isWorse ? 'open' : 'closed',
      ...(said === '' ? {} : { meaning: said }),
    },
  );
}

/** `; 2 causes` if several checks are broken, otherwise empty. */
function causesOf({ newer, changes }: Comparison): string {
  const broken = new Set(changes.filter(({ kind }) => kind === 'broken').map(({ id }) => id));
  const causes = rootCausesOf(newer.result).filter(({ failed }) =>
    failed.some(({ id }) => broken.has(id)),
  );
  return broken.size < 2 ? '' : `; ${counted(causes.length, 'cause')}`;
}

function groupItem(group: ChangeGroup, comparison: Comparison, inFull: boolean): ListItem {
  const { first, changes } = group;
  const excused = changes.filter((change) => isExcused(change, comparison)).length;
  const part = excused === changes.length ? '' : `${excused} of them `;
  const known = excused === 0 ? '' : ` (${part}known to fail)`;
  const why = first.why.slice(0, 600).replace(/\s+/g, ' ').trim();
  return {
    text: [strong(code(idsOfGroup(group))), `  ${first.from} → ${first.to}${known}`],
    below: inFull
      ? [aside(prose(checkTitle(first.check).words)), ...(why === '' ? [] : [why])]
      : [],
  };
}
