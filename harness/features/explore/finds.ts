import type { Seen } from '../../kernel/core/index.ts';
import { actsOf, type History, only } from './history.ts';
import type { Sent } from './perform.ts';
import { isBroken, sameKind, type Violation } from './violation.ts';

export interface Performed {
  readonly name: string;
  /** Number of the history, from 1. An attempt to shorten it has the same number. */
  readonly number: number;
  /** True for a drawn history, false for an attempt to shorten another. */
  readonly drawn: boolean;
  readonly history: History;
  readonly sent: ReadonlyMap<number, Sent>;
  readonly violations: readonly Violation[];
}

export interface Find {
  violation: Violation;
  history: History;
  sent: ReadonlyMap<number, Sent>;
  /** Number of the first history that showed it, and the number of that history's acts. */
  readonly foundIn: number;
  readonly foundActs: number;
  times: number;
  again: Seen;
}

export interface Explored {
  readonly seed: number;
  histories: number;
  /** Number of histories that show a find, or were decided in every act. */
  decided: number;
  acts: number;
  unknown: number;
  generations: number;
  requests: number;
  readonly finds: Find[];
  /** Reason why it ended before a bound was reached although it was not interrupted, or null. */
  givenUp: string | null;
}

export function nothingExplored(seed: number): Explored {
  const none = { histories: 0, decided: 0, acts: 0, unknown: 0, generations: 0, requests: 0 };
  return { seed, ...none, finds: [], givenUp: null };
}

export interface Added {
  readonly found: readonly Find[];
  /** True if the history shows a violation for the first time, or in fewer acts than any before. */
  readonly matters: boolean;
}

export function addPerformed(explored: Explored, asked: Performed): Added {
  const { drawn, sent, violations } = asked;
  // Acts that were not sent, because their response did not exist, had no effect.
  const performed = { ...asked, history: only(asked.history, ({ n }) => sent.has(n)) };
  explored.acts += sent.size;
  explored.unknown += [...sent.values()].filter(({ served }) => served === null).length;
  if (drawn) {
    explored.histories++;
    const isShown = violations.some(({ exchange }) => !isBroken(exchange));
    if (isShown || isDecided(sent)) explored.decided++;
  }
  return addFinds(explored.finds, performed);
}

/** Number of attempts that must all show a find, to count it as certain, and to keep it if its connection broke. */
const sureTimes = 3;

/** Number of attempts that measure the rate of an intermittent find. */
export const measured = 20;

/** True if the rate at which a history shows a find is known. */
export function isMeasured({ times, tries }: Seen): boolean {
  return tries >= (times === tries ? sureTimes : measured);
}

/** Removes, at the end, finds that only a restart may have caused. The interrupted acts are undecided. */
export function withoutChance({ finds }: Explored): void {
  const stays = finds.filter(
    ({ violation, again }) =>
      !isBroken(violation.exchange) || (again.times >= sureTimes && again.times === again.tries),
  );
  finds.splice(0, finds.length, ...stays);
}

function addFinds(finds: Find[], performed: Performed): Added {
  const { number, drawn, history, sent, violations } = performed;
  const found: Find[] = [];
  let matters = false;
  if (isAnswered(sent)) countUnanswered(finds);
  if (!drawn) countAgain(finds, performed);
  for (const [index, violation] of violations.entries()) {
    if (violations.findIndex((one) => sameKind(one, violation)) < index) continue;
    const known = finds.find((find) => sameKind(find.violation, violation));
    const shown = { violation, history, sent };
    if (known === undefined) {
      const foundActs = actsOf(history).length;
      const find = { ...shown, foundIn: number, foundActs, times: drawn ? 1 : 0, again: none };
      matters = true;
      found.push(find);
      finds.push(find);
      continue;
    }
    if (drawn) known.times++;
    // If both have the same length, the history from shortening is simpler than a drawn one.
    const [before, now] = [actsOf(known.history).length, actsOf(history).length];
    if (now < before || (now === before && !drawn)) {
      const again = isSame(known.history, history) ? known.again : none;
      Object.assign(known, { ...shown, again });
      matters = true;
    }
  }
  return { found, matters };
}

/** Counts a repeated history for each find that it could show. */
function countAgain(finds: readonly Find[], { history, sent, violations }: Performed): void {
  for (const find of finds) {
    if (!isSame(find.history, history)) continue;
    const shows = violations.some((one) => sameKind(one, find.violation));
    if (!shows && !isDecided(sent)) continue;
    if (isAnswered(sent)) countTry(find, shows ? 1 : 0);
    else unanswered.set(find, (unanswered.get(find) ?? 0) + 1);
  }
}

function countTry(find: Find, shown: 0 | 1): void {
  const { times, tries } = find.again;
  find.again = { times: times + shown, tries: tries + 1 };
}

/** Unanswered attempts per find. They count only after a later answer, because the gateway may be unreachable. */
const unanswered = new WeakMap<Find, number>();

function countUnanswered(finds: readonly Find[]): void {
  for (const find of finds) {
    for (let left = unanswered.get(find) ?? 0; left > 0; left--) countTry(find, 1);
    unanswered.delete(find);
  }
}

function isAnswered(sent: ReadonlyMap<number, Sent>): boolean {
  return [...sent.values()].some(({ exchange }) => exchange.response !== null);
}

const none: Seen = { times: 0, tries: 0 };

function isSame(one: History, other: History): boolean {
  return JSON.stringify(one.steps) === JSON.stringify(other.steps);
}

/** True if every act was decided: otherwise the absence of a violation proves nothing. */
export function isDecided(sent: ReadonlyMap<number, Sent>): boolean {
  return [...sent.values()].every(({ served }) => served !== null);
}
