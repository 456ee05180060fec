import { type Exchange, idOf, type Target } from '../../../harness/index.ts';

/** The output limit of a long run, if nothing stops it. */
export function longRunLimit({ limits }: Target): number {
  return limits.longRunTokens;
}

/**
 * A generation that still runs when the next request arrives, over a slow line, too. It is meant to be
 * stopped, so most of its tokens are never generated.
 */
export function longRun(name: string, target: Target) {
  const limit = longRunLimit(target);
  return { input: `Write 1200 words about the name ${name}.`, max_output_tokens: limit };
}

/** The id of a long run. @throws {Inconclusive} without one: a model may not take so high a limit */
export function idOfLongRun(created: Exchange): string {
  const refused = [400, 422].includes(created.response?.status ?? 0);
  return idOf(created, refused ? whereLimited : '');
}

const whereLimited =
  'where the model takes no such output limit, set `limits.longRunTokens` of the target file to its maximum';

/** The output limit of what is interrupted, unless the model cannot make so much. */
export function longLimit({ limits }: Target): number {
  return Math.min(Math.max(256, limits.maxOutputTokens), limits.longRunTokens);
}

/** Why nothing can be said of what stops a long run. */
export const endedTooSoon =
  'the run ended before it was stopped: a model is needed that works longer on 1200 words, with a `limits.longRunTokens` that lets it';
