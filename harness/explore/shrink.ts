import { type Act, actsOf, generationsOf, type History, neededBy, only } from './history.ts';

/** What trying a shorter history may cost. */
export interface ShrinkBounds {
  /** Histories that are tried, at most. */
  readonly tries: number;
  /** Generations that they ask for together, at most. */
  readonly generations: number;
}

/**
 * The shortest history found that still shows what a longer one has shown. Each try is a fresh history: large cuts
 * come first, and of those that are alike the cheapest.
 *
 * @param n the act that shows it
 * @param shows performs a history, and says which act shows the same; null: none
 */
export async function shrunk(
  history: History,
  n: number,
  shows: (shorter: History) => Promise<number | null>,
  bounds: ShrinkBounds,
): Promise<{ readonly history: History; readonly n: number; readonly tries: number }> {
  let best = history;
  let act = n;
  let tries = 0;
  let generations = 0;
  const mayTry = (cost: number): boolean =>
    tries < bounds.tries && generations + cost <= bounds.generations;
  const tryOnce = async (one: History): Promise<number | null> => {
    tries++;
    generations += generationsOf(one);
    return shows(one);
  };
  /** Tries a history until it shows, so often at most. */
  const shownIn = async (one: History, times: number): Promise<number | null> => {
    const cost = generationsOf(one);
    for (let time = 0; time < times && mayTry(cost); time++) {
      const shown = await tryOnce(one);
      if (shown !== null) return shown;
    }
    return null;
  };
  for (const times of rounds) {
    // What shows each time is as short as it becomes: to try it more often would show nothing further.
    if (times > 1 && (await showsEachTime())) break;
    const tried = new Set<string>([JSON.stringify(best)]);
    for (let found = true; found; ) {
      found = false;
      for (const shorter of shorterThan(best, act)) {
        const written = JSON.stringify(shorter);
        if (tried.has(written)) continue;
        tried.add(written);
        const shown = await shownIn(shorter, times);
        if (shown === null) continue;
        best = shorter;
        act = shown;
        found = true;
        break;
      }
    }
  }
  return { history: best, n: act, tries };

  async function showsEachTime(): Promise<boolean> {
    for (let time = 0; time < enoughTimes; time++) {
      if (!mayTry(generationsOf(best))) return true;
      if ((await tryOnce(best)) === null) return false;
    }
    return true;
  }
}

/** How often each shorter history is tried: what comes once in many times has to be tried as often to be seen. */
const rounds = [1, 8, 64];

/** A history that shows it so often, one time after the other, is taken to show it each time. */
const enoughTimes = 2;

function* shorterThan(history: History, n: number): Generator<History> {
  const acts = actsOf(history);
  const shown = acts.find((act) => act.n === n);
  if (shown === undefined) return;
  const chain = chainOf(shown, acts);
  // What has nothing to do with the response that it shows on; most defects need no more.
  yield only(history, (act) => chain.has(act.n) || touches(act, chain));
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
  // The links of a chain of continuations.
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

/** The act, and all that the response needs on which it acts. */
function chainOf(act: Act, acts: readonly Act[]): ReadonlySet<number> {
  const chain = new Set<number>();
  for (let one: Act | undefined = act; one !== undefined; ) {
    chain.add(one.n);
    const needed = neededBy(one);
    one = acts.find((other) => other.n === needed);
  }
  return chain;
}

function touches(act: Act, chain: ReadonlySet<number>): boolean {
  const needed = neededBy(act);
  return needed !== null && chain.has(needed);
}

function mapped(history: History, change: (act: Act) => Act): History {
  return { steps: history.steps.map((step) => step.map(change)) };
}
