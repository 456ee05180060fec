import { type Exchange, listAt } from '../../kernel/core/index.ts';
import { shownWords } from '../../kernel/drawn/index.ts';
import { suiteChecks } from '../../kernel/engine/index.ts';
import { denied } from '../../kernel/judge/index.ts';
import { answerOf, contentOf } from '../../kernel/protocols/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { wordsOf } from './conversation.ts';
import { EverywhereJudge } from './everywhere.ts';
import { type Required, requiredOf, rowOfRequired } from './oracle.ts';
import { hasEnded, type Sent } from './perform.ts';
import { byRow, type Violation } from './violation.ts';
import { Witness } from './witness.ts';
import { KnownWords } from './words.ts';
import { type World, worldOf } from './world.ts';

/** Judges the histories of an exploration in any order, with knowledge of the words in those judged before. */
export class HistoryJudge {
  readonly #world: World;
  readonly #everywhere: EverywhereJudge;
  readonly #witness: Witness;
  readonly #words = new KnownWords();

  constructor(target: Target, everywhere: EverywhereJudge) {
    this.#world = worldOf(target);
    this.#everywhere = everywhere;
    this.#witness = new Witness(target);
  }

  violationsIn(sent: ReadonlyMap<number, Sent>): readonly Violation[] {
    const inOrder = [...sent.values()].toSorted((one, other) => one.ended - other.ended);
    const found = [
      ...inOrder.flatMap((one) => violationOf(one, sent, this.#world) ?? []),
      ...this.#witness.violationsIn(inOrder, sent),
      ...this.#words.violationsIn(sent),
    ];
    // Many rows are judged in both ways, and an answer that should have been denied shows what is withheld.
    const isKnown = ({ n, kind }: Violation): boolean =>
      found.some(
        (one) =>
          one.n === n &&
          (one.kind === kind ||
            (one.expected === 'denied' && kind === 'everywhere/content.withheld')),
      );
    return [...found, ...this.#everywhere.violationsIn(inOrder).filter((one) => !isKnown(one))];
  }
}

/** Returns a judge for a target. Loads the suites, because their checks on every exchange apply here, too. */
export async function judgeOf(target: Target): Promise<HistoryJudge> {
  return new HistoryJudge(target, new EverywhereJudge(target, await suiteChecks()));
}

function violationOf(one: Sent, sent: ReadonlyMap<number, Sent>, world: World): Violation | null {
  const asked = requiredOf(one.act, one, sent, world);
  const actual =
    asked.outcome === 'served'
      ? whyNotServed(one)
      : asked.outcome === 'denied'
        ? whyNotDenied(one, wordsOf(one.act, sent))
        : null;
  if (actual === null) return laterDenied(one, sent, world);
  return violationBy(one, asked, actual, one.exchange, sent, world);
}

function violationBy(
  { act }: Sent,
  required: Required,
  actual: string,
  exchange: Exchange,
  sent: ReadonlyMap<number, Sent>,
  world: World,
): Violation {
  const { outcome, clause } = required;
  const what = act.kind === 'act' ? act.operation : act.kind === 'ask' ? act.endpoint : act.kind;
  return {
    ...{ n: act.n, exchange, expected: outcome, actual },
    ...byRow(rowOfRequired(act, required, sent, world), clause),
    kind: `${what} that has to be ${outcome}`,
  };
}

/** Describes the answer if the act was not served; null if it was served, or if that is undecided. */
function whyNotServed({ act, exchange, judged }: Sent): string | null {
  if (judged.state !== 'no') return null;
  const status = exchange.response?.status ?? 0;
  // The header for the key of a list is unspecified.
  const isList = act.kind === 'list' || (act.kind === 'ask' && act.model === null);
  return isList && (status === 401 || status === 403) ? null : judged.actual;
}

/** Describes the answer if the act was not denied; null if it was denied, or if that is undecided. */
function whyNotDenied({ act, exchange, judged }: Sent, secret: readonly string[]): string | null {
  const refusal = denied(exchange, { secret });
  if (refusal.state !== 'no') return null;
  if (shows(exchange, secret)) return refusal.actual;
  // A refusal in an unknown form does not violate this clause.
  if (judged.state !== 'yes') return null;
  // Background generations may be accepted first, and fail later.
  if (act.kind === 'create' && act.mode === 'background' && !hasEnded(exchange)) return null;
  if (act.kind !== 'act') return refusal.actual;
  // A call that only names a response may be served without reading it.
  if (namesOnly.includes(act.operation)) return null;
  const isEmpty =
    act.operation === 'input-items' && listAt(answerOf(exchange).value, 'data').length === 0;
  return isEmpty ? null : refusal.actual;
}

const namesOnly: readonly string[] = ['compact', 'input-tokens', 'item-reference'];

/** Returns the violation of a lookup that shows the successful end of what had to be denied. */
function laterDenied(
  { act, exchange, judged }: Sent,
  sent: ReadonlyMap<number, Sent>,
  world: World,
): Violation | null {
  if (act.kind !== 'act' || act.operation !== 'lookup' || judged.state !== 'yes') return null;
  const maker = sent.get(act.of);
  if (maker?.act.kind !== 'create' || maker.act.mode !== 'background') return null;
  if (contentOf(exchange).ending !== 'completed') return null;
  const required = requiredOf(maker.act, maker, sent, world);
  if (required.outcome !== 'denied') return null;
  const shown = violationBy(
    maker,
    required,
    'a response that has ended well',
    exchange,
    sent,
    world,
  );
  return { ...shown, n: act.n };
}

function shows(exchange: Exchange, words: readonly string[]): boolean {
  const shown = shownWords(exchange);
  return words.some((word) => shown.has(word));
}
