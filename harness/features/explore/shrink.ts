import { confidence, type Seen } from '../../kernel/core/index.ts';
import { isMeasured, measured } from './finds.ts';
import type { Act, History } from './history.ts';
import { actsOf, generationsOf, joined, neededBy, only, pauseBefore } from './history.ts';
import type { ActOutcome } from './oracle.ts';

interface ShrinkBounds {
  readonly tries: number;
  readonly generations: number;
  /** History before it, which the find may need. Default: none. */
  readonly before?: History;
}

/** Number of the act that shows the find; null if none does; 'unknown' if an undecided act leaves it open. */
export type Shown = number | null | 'unknown';

type Times = ReadonlyMap<number, Pick<ActOutcome, 'started' | 'ended'>>;

/** Shortest significant pause, about the duration of an act. */
const shortestPauseMs = 50;

/** Numbers of attempts for a find that has not shown again, because it may be rare. */
const levels = [1, 8, 64] as const;

/** Maximum attempts of one history: rarer finds are not pursued. */
const mostPatience = 64;

/**
 * Returns the shortest history that still shows a find of a longer one. Each attempt is a fresh history. Large cuts
 * come first and, among similar ones, the cheapest. For an intermittent find, the number of attempts follows its known
 * rate, because a single failed attempt proves nothing. Finally, the shortest history is repeated to measure its rate.
 *
 * A find that depends on elapsed time disappears when acts are left out, because the history then runs faster. Each cut
 * is therefore also tried with a pause in place of the acts, and later attempts shorten the pauses. A pause does not
 * count as an act.
 *
 * A find that does not show again may depend on the history before it, and is then tried after that one.
 *
 * @param n act that shows the find
 * @param shows performs a history
 */
export async function shrunk(
  history: History,
  n: number,
  shows: (shorter: History) => Promise<Shown>,
  bounds: ShrinkBounds,
  times: Times = new Map(),
): Promise<{ readonly history: History; readonly n: number; readonly tries: number }> {
  let best = history;
  let act = n;
  let tries = 0;
  let generations = 0;
  let level = 0;
  let took = times;
  /** Attempts of histories that have shown the find. */
  const seen = { times: 0, tries: 0 };
  /** Decided attempts that did not show the find, by history. */
  const failedTries = new Map<string, number>();
  const again = new Map<string, { times: number; tries: number }>();

  for (let goesOn = true; goesOn; ) {
    while (await isShorter());
    const before = patience();
    await measure();
    if (seen.times === 0) goesOn = ++level < levels.length;
    else goesOn = patience() > before;
  }
  return { history: best, n: act, tries };

  function mayTry(one: History): boolean {
    return tries < bounds.tries && generations + generationsOf(one) <= bounds.generations;
  }

  async function tryOnce(one: History): Promise<Shown> {
    tries++;
    generations += generationsOf(one);
    return shows(one);
  }

  function patience(): number {
    if (seen.times === 0) return levels[level] ?? mostPatience;
    return Math.min(mostPatience, triesToSee(seen));
  }

  async function isShorter(): Promise<boolean> {
    for (const shorter of shorterThan(best, act, took)) {
      const written = JSON.stringify(shorter);
      if (written === JSON.stringify(best)) continue;
      while (mayTry(shorter) && (failedTries.get(written) ?? 0) < patience()) {
        const shown = await tryOnce(shorter);
        if (shown === 'unknown') continue;
        if (shown === null) {
          failedTries.set(written, (failedTries.get(written) ?? 0) + 1);
          continue;
        }
        seen.times++;
        seen.tries += 1 + (failedTries.get(written) ?? 0);
        best = shorter;
        act = shown;
        return true;
      }
      // Checks the rate before all other cuts, because the find may be intermittent.
      if (seen.tries === 0 && level === 0 && !(await showsAgain())) {
        if (!(await showsAfterOther())) level++;
        return true;
      }
    }
    return false;
  }

  /** True if the best history shows the find again; null if it was not tried or is undecided. */
  async function showsAgain(): Promise<boolean | null> {
    if (!mayTry(best)) return null;
    const shown = await tryOnce(best);
    if (shown === 'unknown') return null;
    const tally = tallyOf(best);
    for (const count of [seen, tally]) {
      count.tries++;
      if (shown !== null) count.times++;
    }
    if (shown !== null) act = shown;
    return shown !== null;
  }

  /** Goes on with a longer history, if the find shows only after the history before it. */
  async function showsAfterOther(): Promise<boolean> {
    const longer = bounds.before === undefined ? best : joined(bounds.before, best);
    const shown = longer !== best && mayTry(longer) ? await tryOnce(longer) : null;
    if (typeof shown !== 'number') return false;
    // The acts have other numbers now, and the failed attempt was one of another history.
    [best, act, took] = [longer, shown, new Map()];
    seen.times = seen.tries = 1;
    return true;
  }

  async function measure(): Promise<void> {
    for (let unknown = 0; unknown < measured && mayTry(best); ) {
      if (isMeasured(tallyOf(best))) return;
      if ((await showsAgain()) === null) unknown++;
    }
  }

  function tallyOf(one: History): { times: number; tries: number } {
    const written = JSON.stringify(one);
    const tally = again.get(written) ?? { times: 0, tries: 0 };
    again.set(written, tally);
    return tally;
  }
}

/** Returns the number of attempts after which a find with this rate shows with 95 % probability. */
function triesToSee({ times, tries }: Seen): number {
  return times >= tries ? 1 : Math.ceil(Math.log(1 - confidence) / Math.log1p(-times / tries));
}

/** Yields shorter histories: without pauses, with fewer acts, and with pauses in the place of what is removed. */
function* shorterThan(history: History, n: number, times: Times): Generator<History> {
  if (pauses(history) > 0) yield withPauses(history, () => 0);
  const cuts = [...cutsOf(history, n)];
  yield* cuts;
  yield* withLess(history);
  const fewer = (one: History): boolean => actsOf(one).length < actsOf(history).length;
  for (const cut of cuts.filter(fewer)) {
    const slow = inItsTime(cut, times);
    if (pauses(slow) > pauses(cut)) yield slow;
  }
}

function* withLess(history: History): Generator<History> {
  for (const step of history.steps) {
    const ms = pauseBefore(step);
    if (ms === 0) continue;
    for (const less of ms < 2 * shortestPauseMs ? [0] : [0, Math.floor(ms / 2)]) {
      yield withPauses(history, (one) => (one === step ? less : pauseBefore(one)));
    }
  }
}

/** Returns a history with pauses in place of the removed acts, as long as these took. */
function inItsTime(history: History, times: Times): History {
  let ended = Number.POSITIVE_INFINITY;
  return withPauses(history, (step) => {
    const came = step.flatMap(({ n }) => times.get(n) ?? []);
    if (came.length === 0) return pauseBefore(step);
    const ms = Math.ceil(Math.min(...came.map(({ started }) => started)) - ended);
    ended = Math.max(...came.map((one) => one.ended));
    return ms < shortestPauseMs ? 0 : ms;
  });
}

function withPauses({ steps }: History, ms: (step: readonly Act[]) => number): History {
  return {
    steps: steps.map((step) => {
      const afterMs = ms(step);
      return step.map(({ afterMs: _, ...act }, place) =>
        place === 0 && afterMs > 0 ? { ...act, afterMs } : act,
      );
    }),
  };
}

function pauses({ steps }: History): number {
  return steps.reduce((sum, step) => sum + pauseBefore(step), 0);
}

function* cutsOf(history: History, n: number): Generator<History> {
  const acts = actsOf(history);
  const shown = acts.find((act) => act.n === n);
  if (shown === undefined) return;
  const chain = chainOf(shown, acts);
  const until = history.steps.findIndex((step) => step.includes(shown));
  const soFar: History = { steps: history.steps.slice(0, until + 1) };
  // Drops later acts, and acts that do not concern the response of the find; most defects need no more.
  yield only(soFar, (act) => chain.has(act.n) || chain.has(neededBy(act) ?? act.n));
  yield { steps: acts.map((act) => [act]) };
  const others = acts.filter((act) => !chain.has(act.n));
  for (
    let size = Math.ceil(others.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    const cuts: History[] = [];
    for (let from = 0; from < others.length; from += size) {
      const left = new Set(others.slice(from, from + size).map((act) => act.n));
      cuts.push(only(history, (act) => !left.has(act.n)));
    }
    yield* cuts.toSorted((one, other) => generationsOf(one) - generationsOf(other));
  }
  // Cuts a chain of continuations at each link.
  for (const link of acts.filter((act) => act.kind === 'create' && act.previous !== undefined)) {
    if (link.kind !== 'create' || link.previous === undefined) continue;
    const { previous: from, ...first } = link;
    yield mapped(history, (act) => (act === link ? first : act));
    const before = acts.find((act) => act.n === from);
    if (before?.kind !== 'create' || before.previous === undefined) continue;
    const { previous } = before;
    yield mapped(history, (act) => (act === link ? { ...link, previous } : act));
  }
}

function chainOf(act: Act, acts: readonly Act[]): ReadonlySet<number> {
  const chain = new Set<number>();
  for (let one: Act | undefined = act; one !== undefined; ) {
    chain.add(one.n);
    const needed = neededBy(one);
    one = acts.find((other) => other.n === needed);
  }
  return chain;
}

function mapped(history: History, change: (act: Act) => Act): History {
  return { steps: history.steps.map((step) => step.map(change)) };
}
