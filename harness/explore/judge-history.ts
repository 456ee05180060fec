import { denied, textsIn } from '../judge/denied.ts';
import { jsonBody, listAt, textAt } from '../judge/index.ts';
import type { Target } from '../target/target.ts';
import { EverywhereJudge } from './everywhere.ts';
import { type Act, neededBy } from './history.ts';
import { requiredOf, rowOfRequired } from './oracle.ts';
import type { Sent } from './perform.ts';
import { byRow, type Violation } from './violation.ts';
import { type World, worldOf } from './world.ts';

/** Judges the histories of an exploration, one after another; what was said in the earlier ones is known. */
export class HistoryJudge {
  readonly #world: World;
  readonly #everywhere: EverywhereJudge;

  constructor(world: World, everywhere: EverywhereJudge) {
    this.#world = world;
    this.#everywhere = everywhere;
  }

  /** What a history breaks, in the order of its acts. */
  violationsIn(sent: ReadonlyMap<number, Sent>): readonly Violation[] {
    const inOrder = [...sent.values()].toSorted((one, other) => one.ended - other.ended);
    return [
      ...inOrder.flatMap(
        (one) => violationOf(one, sent, this.#world) ?? strangeWord(one, sent) ?? [],
      ),
      ...this.#everywhere.violationsIn(inOrder),
    ];
  }
}

/** A judge for a target. The suites are loaded for it: what they judge on every exchange is judged here, too. */
export async function judgeOf(target: Target): Promise<HistoryJudge> {
  return new HistoryJudge(worldOf(target), await EverywhereJudge.of(target));
}

function violationOf(one: Sent, sent: ReadonlyMap<number, Sent>, world: World): Violation | null {
  const { act, exchange, judged } = one;
  const asked = requiredOf(act, one, sent, world);
  const { outcome: required, clause } = asked;
  const about = () => ({
    ...{ n: act.n, exchange },
    ...byRow(rowOfRequired(act, asked, sent, world), clause),
  });
  const what = act.kind === 'act' ? act.operation : act.kind;
  if (required === 'served') {
    if (judged.state === 'no') {
      return {
        ...about(),
        kind: `${what} that has to be served`,
        expected: 'served',
        actual: judged.actual,
      };
    }
    return otherResponse(one, sent);
  }
  if (required !== 'denied') return null;
  const refusal = denied(exchange, { secret: wordsOf(act, sent) });
  // A call that only names a response may be answered without it: nothing of it shows.
  const namesOnly = what === 'compact' || what === 'input-tokens';
  if (refusal.state !== 'no' || (namesOnly && !shows(one, wordsOf(act, sent)))) return null;
  // A refusal in other words than we know is no violation of this clause.
  if (judged.state === 'no' && !shows(one, wordsOf(act, sent))) return null;
  if (act.kind === 'act' && act.operation === 'input-items' && isEmptyList(one)) return null;
  return {
    ...about(),
    kind: `${what} that has to be denied`,
    expected: 'denied',
    actual: refusal.actual,
  };
}

/** It was served, and is of another response than the one that was asked for. */
function otherResponse(
  { act, exchange, judged }: Sent,
  sent: ReadonlyMap<number, Sent>,
): Violation | null {
  if (act.kind !== 'act' || act.operation !== 'lookup' || judged.state !== 'yes') return null;
  const asked = sent.get(act.of)?.id ?? null;
  const given = textAt(jsonBody(exchange), 'id');
  if (given === asked) return null;
  return {
    ...{ n: act.n, exchange, ...byRow('storage/responses.lookup-equals-created', 'END-18') },
    ...{ kind: 'another response', expected: `the response ${asked}` },
    actual: `the response ${given}`,
  };
}

/** The words that belong to a response: its own, and those of what it goes on from. */
function wordsOf(act: Act, sent: ReadonlyMap<number, Sent>): string[] {
  const words: string[] = [];
  for (let n = neededBy(act); n !== null; ) {
    const maker = sent.get(n);
    if (maker === undefined) break;
    if (maker.word !== null) words.push(maker.word);
    n = neededBy(maker.act);
  }
  return words;
}

/** An answer that holds a word of a conversation that it is not about. */
function strangeWord(one: Sent, sent: ReadonlyMap<number, Sent>): Violation | null {
  const known = new Map(
    [...sent.values()].flatMap(({ word, act }) => (word === null ? [] : [[word, act.n]])),
  );
  const own = new Set([...wordsOf(one.act, sent), ...(one.word === null ? [] : [one.word])]);
  for (const text of textsIn(one.exchange)) {
    const lower = text.toLowerCase();
    for (const [word, n] of known) {
      if (own.has(word) || !lower.includes(word)) continue;
      return {
        ...{ n: one.act.n, exchange: one.exchange },
        ...byRow('everywhere/content.own-words-only:responses', 'AUTH-8'),
        kind: 'word of another conversation',
        expected: 'no word of another conversation',
        actual: `“${word}”, which act ${n} has sent`,
      };
    }
  }
  return null;
}

function shows({ exchange }: Sent, words: readonly string[]): boolean {
  for (const text of textsIn(exchange)) {
    const lower = text.toLowerCase();
    if (words.some((word) => lower.includes(word))) return true;
  }
  return false;
}

function isEmptyList({ exchange, judged }: Sent): boolean {
  return judged.state === 'yes' && listAt(jsonBody(exchange), 'data').length === 0;
}
