import { anyWord } from '../engine/chance.ts';
import { denied, textsIn } from '../judge/denied.ts';
import { jsonBody, listAt, textAt } from '../judge/index.ts';
import { type Act, neededBy } from './history.ts';
import { requiredOf } from './oracle.ts';
import type { Sent } from './perform.ts';
import type { World } from './world.ts';

/** An act of which something else came than the specification requires. */
export interface Violation {
  readonly n: number;
  /** By the clause of `fixtures/specification.md`. */
  readonly clause: string;
  readonly expected: string;
  readonly actual: string;
  /** The same defect, whichever history shows it. */
  readonly kind: string;
}

/** All that the words of a run belong to: each word, and the act of the history that it was drawn for. */
export type Words = ReadonlySet<string>;

/** What a history breaks, in the order of its acts. */
export function violationsIn(sent: ReadonlyMap<number, Sent>, world: World): readonly Violation[] {
  return [...sent.values()]
    .toSorted((one, other) => one.ended - other.ended)
    .flatMap((one) => violationOf(one, sent, world) ?? strangeWord(one, sent) ?? []);
}

function violationOf(one: Sent, sent: ReadonlyMap<number, Sent>, world: World): Violation | null {
  const { act, exchange, judged } = one;
  const { outcome: required, clause } = requiredOf(act, one, sent, world);
  const about = { n: act.n, clause };
  const what = act.kind === 'act' ? act.operation : act.kind;
  if (required === 'served') {
    if (judged.state === 'no') {
      return {
        ...about,
        kind: `${what} served ${clause}`,
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
  return { ...about, kind: `${what} denied ${clause}`, expected: 'denied', actual: refusal.actual };
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
    ...{ n: act.n, clause: 'END-20', kind: 'lookup of another', expected: `the response ${asked}` },
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
    for (const [word] of text.toLowerCase().matchAll(anyWord)) {
      if (own.has(word) || !known.has(word)) continue;
      return {
        ...{ n: one.act.n, clause: 'AUTH-8', kind: 'word of another conversation' },
        expected: 'no word of another conversation',
        actual: `“${word}”, which act ${known.get(word)} has sent`,
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
