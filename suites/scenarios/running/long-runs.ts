import {
  type Exchange,
  ending,
  Inconclusive,
  type Io,
  idOf,
  NothingToJudge,
  type Target,
} from '../../../harness/index.ts';

/** Returns the output limit of a long run, which applies if nothing stops the run. */
export function longRunLimit({ limits }: Target): number {
  return limits.longRunTokens;
}

/**
 * Returns a request for a generation that still runs when the next request arrives, even over a slow connection.
 * Scenarios stop it, so most of its tokens are never generated. The prompt asks for as many words as the limit
 * allows: a token is about three quarters of a word.
 *
 * @param share fraction of these words, for a shorter run
 */
export function longRun(name: string, { target, text }: Pick<Io, 'target' | 'text'>, share = 1) {
  const limit = longRunLimit(target);
  const words = Math.round(0.75 * limit * share);
  return { input: text(words, name), max_output_tokens: limit };
}

/**
 * Returns the id of a long run.
 *
 * @throws {Inconclusive} without one: a model may refuse so high a limit
 */
export function idOfLongRun(created: Exchange): string {
  const refused = [400, 422].includes(created.response?.status ?? 0);
  return idOf(created, refused ? whereLimited : '');
}

const whereLimited =
  'where the model takes no such output limit, set `limits.longRunTokens` of the target file to its maximum';

/** Returns the output limit of runs that are interrupted, unless the model cannot generate that much. */
export function longLimit({ limits }: Target): number {
  return Math.min(Math.max(256, limits.maxOutputTokens), limits.longRunTokens);
}

/** Reason why a check of stopping a long run is undecided. */
export const endedTooSoon =
  'the run ended while it was being stopped: raise `limits.longRunTokens`, by which longer texts are asked for, or name a model that works longer';

/** Reason why a check of stopping a run has nothing to judge. */
const endedAtOnce =
  'the run ended by itself within a round trip or two, so that nothing was left to stop; a higher `limits.longRunTokens` asks for longer texts';

/** Statuses of a run that ended by itself. */
export const endedByItself: readonly unknown[] = ['completed', 'incomplete'];

/**
 * Skips a run that ended by itself before the next request arrived: no gateway could have stopped it.
 *
 * @param seen the first lookup of the run
 */
export function notApplicableOnceEnded(seen: Exchange | null): void {
  if (seen !== null && endedByItself.includes(ending(seen))) throw new NothingToJudge(endedAtOnce);
}

/**
 * Returns the error for a run that ended while it was being stopped. If the stop took no longer than a few lookups,
 * the run ended by itself. Otherwise the gateway may have waited for its end.
 *
 * @param before the lookup just before
 */
export function endedMeanwhile(before: Exchange, stop: Exchange): NothingToJudge | Inconclusive {
  const tookLonger = durationOf(stop) > 3 * durationOf(before);
  return tookLonger ? new Inconclusive(endedTooSoon, stop) : new NothingToJudge(endedAtOnce);
}

export function durationOf({ times }: Exchange): number {
  return times.ended - times.started;
}
