import {
  atMost,
  type Cause,
  type CheckResult,
  type CheckState,
  checkStates,
  confidence,
  type HeldBy,
  type Lagging,
  type Level,
  longestLags,
  type ObservedIn,
  percent,
  rateInWords,
  type Traffic,
} from '../core/index.ts';
import { duration } from './duration.ts';

/** Titles of the causes of undecided checks. */
export const causeWords: Readonly<Record<Cause, string>> = {
  'rate-limit': 'Rate limit',
  overload: 'Overload',
  timeout: 'Time-out',
  unreachable: 'Not reachable',
  'no-credit': 'No credit',
  'locked-out': 'Locked out',
  prerequisite: 'A prerequisite is missing',
  control: 'A baseline request was not served',
  ambiguous: 'Ambiguous answer',
  'local-resources': 'This machine ran out of resources',
  unread: 'Touchstone could not read what came',
  'too-large': 'More came than is read',
  interrupted: 'The run was interrupted',
  'out-of-time': 'The deadline came first',
  'over-budget': 'The budget was spent',
  'missing-report': 'The report of a part is missing',
};

/** Origin of exchanges that no run has sent. */
export const observedInWords: Readonly<Record<ObservedIn, string>> = {
  proxy: 'Observed by a proxy: nothing was sent',
  HAR: 'Observed in a HAR file: nothing was sent',
};

const heldWords: Readonly<Record<HeldBy, string>> = {
  concurrency: 'concurrency',
  'requests-per-second': 'requestsPerSecond',
  'hostile-per-second': 'hostilePerSecond',
  'rate-limit': '429 and Retry-After',
  lockout: 'a lockout',
};

/** `waiting: a lockout`: reason of a pause that the gateway requested. Empty if the run is not paused. */
export function waitingInWords(by: HeldBy | null = null): string[] {
  return by === 'rate-limit' || by === 'lockout' ? [`waiting: ${heldWords[by]}`] : [];
}

/**
 * Reasons that delayed requests for a second or more: `18 s by requestsPerSecond: 20, 41 s by 429 and Retry-After`.
 * Null if there are none.
 */
export function heldBackInWords({ heldBack = [] }: Traffic): string | null {
  const parts = heldBack.flatMap(({ by, ms, limit }) => {
    // All slots are in use during a normal run.
    if (by === 'concurrency') return [];
    const seconds = Math.round(ms / 1_000);
    const what = limit === undefined ? heldWords[by] : `${heldWords[by]}: ${limit}`;
    return seconds < 1 ? [] : [`${seconds} s by ${what}`];
  });
  return parts.length === 0 ? null : parts.join(', ');
}

/** `12 connections broke in the place of an answer; …`. Null if none did. */
export function brokenInWords({ brokenConnections = 0 }: Traffic): string | null {
  return brokenConnections === 0
    ? null
    : `${counted(brokenConnections, 'connection')} broke in the place of an answer; each such request was made again`;
}

/**
 * `0 of 1835 requests name Touchstone; …`: counted traits by which a gateway could recognise a run. Null if
 * Touchstone did not send the requests.
 */
export function recognisableInWords({ recognisable }: Traffic): string | null {
  if (recognisable === undefined) return null;
  const { requests, named, userAgents, identified, ownConnection } = recognisable;
  const { prompts, wordings, commonestWording } = recognisable;
  const share = (part: number, of: number): string =>
    of === 0 ? '0 %' : `${Math.round((100 * part) / of)} %`;
  return [
    `${named} of ${counted(requests, 'request')} name Touchstone`,
    `${userAgents.length === 0 ? 'no User-Agent' : `User-Agent ${userAgents.join(', ')}`}`,
    `${share(identified, requests)} with an X-Client-Request-Id`,
    `${share(ownConnection, requests)} with a connection of their own`,
    `${counted(prompts, 'prompt')} in ${counted(wordings, 'wording')}, the commonest in ${share(commonestWording, prompts)}`,
  ].join('; ');
}

const worthTelling = 5_000;

/** `at most 40 s left`: remaining time of a run. Empty if it is unknown or short. */
export function leftInWords(leftMs: number | null = null): string[] {
  if (leftMs === null || leftMs < worthTelling) return [];
  const seconds = Math.ceil(leftMs / 5_000) * 5;
  const words = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return [`at most ${words} left`];
}

/** `round 3 of 10`. Empty if a run is not repeated. */
export function roundInWords(round?: { readonly number: number; readonly of: number }): string[] {
  return round === undefined ? [] : [`round ${round.number} of ${round.of}`];
}

/** Words for states after a count. */
export const stateWords: Readonly<Record<CheckState, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  note: 'noted',
  'not-applicable': 'not applicable',
  untestable: 'untestable',
  inconclusive: 'inconclusive',
  excluded: 'excluded',
  error: 'in error',
};

/** `12 passed, 1 failed`: counts above zero, in the order of the states. */
export function countsInWords(counts: Readonly<Record<CheckState, number>>): string[] {
  return checkStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${stateWords[state]}`);
}

/** `3 MUSTs among them; `. Empty if all are MUSTs, because a verdict only counts MUSTs. */
export function mustsAmong(checks: readonly { readonly level: Level }[]): string {
  const musts = checks.filter(({ level }) => level === 'MUST').length;
  return musts === checks.length ? '' : `${counted(musts, 'MUST')} among them; `;
}

const lagWords: Readonly<Record<Lagging, string>> = {
  stored: 'what was stored',
  ended: 'the end of a run',
  cancelled: 'a cancel',
  deleted: 'a deletion',
};

/** `what was stored showed after up to 210 ms`. Null if there was no delay. */
export function lagsInWords(checks: readonly Pick<CheckResult, 'lags'>[]): string | null {
  const all = longestLags(checks.flatMap(({ lags = [] }) => lags));
  if (all.length === 0) return null;
  return all
    .map(({ what, ms }) => `${lagWords[what]} showed after up to ${duration(ms)}`)
    .join(', ');
}

/** `1 request`, `2 requests`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Ids of the first checks, and the number of the others: `a/b.c, a/b.d and 7 more`. */
export function firstOf(
  checks: readonly { readonly id: string }[],
  shown: number,
  paint = (id: string): string => id,
): string {
  const rest = checks.length > shown ? ` and ${checks.length - shown} more` : '';
  const ids = checks.slice(0, shown).map(({ id }) => paint(id));
  return ids.join(', ') + rest;
}

/**
 * Results of a check over the rounds of a repeated run: `held in 48 of 48: at most 6.1 % at 95 %, undecided in 2
 * more`, or `broken in 1 of 50 tries: 2 %, at 95 % between …`. Null if it was judged once.
 */
export function triesInWords({ tries }: Pick<CheckResult, 'tries'>): string | null {
  if (tries === undefined) return null;
  const { held, broken, undecided } = tries;
  const decided = { times: broken, tries: held + broken };
  const open = undecided === 0 ? '' : `, undecided in ${undecided} more`;
  if (decided.tries === 0) return `undecided in ${counted(undecided, 'try', 'tries')}`;
  if (broken > 0) return `broken in ${rateInWords(decided)}${open}`;
  return `held in ${held} of ${held}: at most ${percent(atMost(decided), 'up')} at ${percent(confidence, 'near')}${open}`;
}
