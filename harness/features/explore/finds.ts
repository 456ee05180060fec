import type { Seen } from '../../kernel/core/index.ts';
import { actsOf, type History, only } from './history.ts';
import type { Sent } from './perform.ts';
import { isBroken, sameKind, type Violation } from './violation.ts';

/** A history that was performed and judged. */
export interface Performed {
  /** Name of its scenario: the keys of its exchanges begin with it. */
  readonly name: string;
  /** Counted from one. A try to shorten a history has the number of that. */
  readonly number: number;
  /** True if the history was drawn, and is no try to shorten another. */
  readonly drawn: boolean;
  readonly history: History;
  readonly sent: ReadonlyMap<number, Sent>;
  readonly violations: readonly Violation[];
}

/** Violation, with the shortest history that has shown it. */
export interface Find {
  violation: Violation;
  history: History;
  sent: ReadonlyMap<number, Sent>;
  /** The history that has shown it first, and how many acts it had. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** Number of drawn histories that have shown it. */
  times: number;
  /**
   * Further tries of this very history, and how many have shown it. A try with an undecided act does not
   * count.
   */
  again: Seen;
}

/** Result of an exploration. */
export interface Explored {
  readonly seed: number;
  histories: number;
  /** Number of these that show a find, or were decided in every act. */
  decided: number;
  acts: number;
  /** Acts of which nothing can be said: time-outs and the like. */
  unknown: number;
  generations: number;
  requests: number;
  readonly finds: Find[];
  /** Reason why it ended before a bound was reached although nobody interrupted it, or null if it did not. */
  givenUp: string | null;
}

export function nothingExplored(seed: number): Explored {
  const none = { histories: 0, decided: 0, acts: 0, unknown: 0, generations: 0, requests: 0 };
  return { seed, ...none, finds: [], givenUp: null };
}

/** Contribution of a history. */
export interface Added {
  /** Violations that no earlier history has shown. */
  readonly found: readonly Find[];
  /** True if the history shows something for the first time, or in fewer acts than any before. */
  readonly matters: boolean;
}

/** Counts a history, and adds what it has shown. */
export function addPerformed(explored: Explored, asked: Performed): Added {
  const { drawn, sent, violations } = asked;
  // Acts that were not sent, because nothing was there to act on, had no effect.
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

/**
 * Number of tries of a history that must all show a find: to count it as certain, and to keep it if its
 * connection broke.
 */
const sureTimes = 3;

/** Number of tries that measure the rate of a find that does not show every time. */
export const measured = 20;

/** True if the rate at which a history shows a find is known. */
export function isMeasured({ times, tries }: Seen): boolean {
  return tries >= (times === tries ? sureTimes : measured);
}

/** Takes out, at the end, what only a restart may have shown. The acts that it interrupted are undecided. */
export function withoutChance({ finds }: Explored): void {
  const stays = finds.filter(
    ({ violation, again }) =>
      !isBroken(violation.exchange) || (again.times >= sureTimes && again.times === again.tries),
  );
  finds.splice(0, finds.length, ...stays);
}

/** Adds what a history has shown to what was found: the same rule while exploring and of a recording. */
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

/** A history that is tried again shows what was found, or does not. */
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

/** Tries in which nothing was answered: they count when something is answered after them, for the gateway may have gone. */
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
