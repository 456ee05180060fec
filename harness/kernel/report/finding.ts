import type { CheckResult, RootCause, RunResult } from '../core/index.ts';
import { basisInWords } from './basis.ts';
import { causeInWords } from './cause-words.ts';
import { conversationItems, conversationOf } from './conversations.ts';
import { printedLines } from './document/terminal.ts';
import {
  aside,
  type Block,
  code,
  type DocumentSection,
  fact,
  type ListItem,
  paragraph,
  prose,
  strong,
  toned,
  withFacts,
} from './document/tree.ts';
import type { ResultOf } from './summary.ts';
import { counted, firstOf, triesInWords } from './words.ts';

/** Result with the conversations of a client that have findings. */
type Conversations = Pick<RunResult, 'conversations'>;

/** Limits on the output of a finding. */
interface FindingDetail {
  /** True to cut long fields to a few lines, because reports have the rest. */
  readonly short?: boolean;
  /** Fold state. The title of a folded finding counts its checks. */
  readonly folded?: 'open' | 'closed';
  /**
   * Number of waiting checks that are named. In a finding that cannot be folded, it also limits the checks with the
   * same cause.
   */
  readonly named?: number;
}

/**
 * A broken requirement with its facts in a fixed order: id and level, its text, expected, actual, the exchange, the
 * line that repeats it, the source, and dependent failures.
 */
export function causeSection(
  cause: Omit<RootCause, 'kind'> & { readonly kind?: RootCause['kind'] },
  result: Conversations,
  { short = false, folded, named = 2 }: FindingDetail = {},
): DocumentSection {
  const { root, failed, waiting, kind } = cause;
  const { id, level, text, verdict, basis } = root;
  const { evidence } = verdict;
  const most = short ? 3 : undefined;
  const others = failed.slice(1).sort((one, another) => mustsOf([another]) - mustsOf([one]));
  const musts = mustsOf(others);
  const told = folded === undefined ? Math.max(named, Math.min(musts, mostMusts)) : others.length;
  const conversation = conversationOf(root, result);
  const isAlone = others.length + waiting.length === 0;
  const isLone = kind === 'no-key-checked';
  return {
    block: 'section',
    title: [toned(verdict.state, '✗'), ' ', code(id), '  ', toned(verdict.state, level)],
    ...(folded === undefined ? {} : { folded }),
    ...(folded === undefined || isAlone ? {} : { meaning: sizeInWords(cause) }),
    blocks: [
      ...(isLone ? [paragraph(strong(causeInWords({ ...cause, kind })))] : []),
      paragraph(prose(text), { most }),
      withFacts([
        fact('expected', verdict.expected, short ? 4 : undefined),
        fact('actual', verdict.actual, short ? 4 : undefined),
        fact('tries', triesInWords(root)),
        {
          name: 'exchange',
          lines:
            evidence === null
              ? ['(not judged on a single exchange)']
              : [
                  `${evidence.request} → ${evidence.outcome}`,
                  // The received data is often the finding itself, and is not printed twice.
                  ...(['', verdict.actual].includes(evidence.received)
                    ? []
                    : [aside(evidence.received.trimEnd())]),
                ],
          most: short ? 5 : 15,
        },
        conversation === null ? null : { name: 'seen', lines: conversationItems(conversation) },
        fact(
          'repeat',
          evidence === null ? '(nothing to repeat)' : { span: 'command', text: evidence.curl },
        ),
        { name: 'source', lines: basisInWords(basis), most },
        fact(
          'also',
          others.length === 0
            ? null
            : `${counted(others.length, 'more fails', 'more fail')} because of it${musts === 0 ? '' : `, ${counted(musts, 'MUST')} among them`}: ${firstOf(others, told)}`,
        ),
        fact(
          'waiting',
          waiting.length === 0
            ? null
            : `${counted(waiting.length, 'check')} could not be judged because of it: ${firstOf(waiting, named)}`,
        ),
      ]),
    ],
  };
}

/** Number of further MUSTs of a cause that are named at a terminal. */
const mostMusts = 8;

function mustsOf(checks: readonly CheckResult[]): number {
  return checks.filter(({ level }) => level === 'MUST').length;
}

/** `3 checks, 2 more could not be judged` */
export function sizeInWords({ failed, waiting }: Pick<RootCause, 'failed' | 'waiting'>): string {
  const besides = waiting.length === 0 ? '' : `, ${waiting.length} more could not be judged`;
  return `${counted(failed.length, 'check')}${besides}`;
}

/** A single broken requirement. */
export function findingSection(
  root: ResultOf<'fail' | 'warn'>,
  result: Conversations = {},
): DocumentSection {
  return causeSection({ root, failed: [root], waiting: [] }, result);
}

/** Lines of a block for formats without styling. */
export function plainLines(block: Block): string {
  return printedLines([block], { colour: false, width: 100 }).join('\n');
}

/** A finding that does not fail the run, or the result of a MAY, in a few lines. */
export function shortFinding(check: ResultOf<'fail' | 'warn' | 'note'>): ListItem {
  const { id, verdict } = check;
  const { evidence } = verdict;
  const tried = triesInWords(check);
  const rate = tried === null ? '' : `; ${tried}`;
  const isNote = verdict.state === 'note';
  return {
    text: strong(code(id)),
    below: [
      isNote ? verdict.actual : `${verdict.actual}; expected ${verdict.expected}${rate}`,
      ...(evidence === null || isNote
        ? []
        : [
            aside(`${evidence.request} → ${evidence.outcome}`),
            { span: 'command', text: evidence.curl } as const,
          ]),
    ],
  };
}
