import {
  type CheckVerdict,
  type Exchange,
  type Latency,
  type LoadTraffic,
  type Percentiles,
  percentilesOf,
} from '../../core/index.ts';
import { transientIn } from '../../judge/index.ts';
import { asksToGenerate, generationsIn } from '../../protocols/index.ts';
import type { Load } from '../../recordings/index.ts';
import { isLoad } from './load.ts';

/**
 * Returns the results of the load of a run, and the latency of generations during it.
 *
 * @param exchanges all of the run
 */
export function loadReport(
  { inFlight, generations: most }: Load,
  exchanges: readonly Exchange[],
): LoadTraffic {
  const load = exchanges.filter(isLoad);
  const own = exchanges.filter((exchange) => !isLoad(exchange) && wasSent(exchange));
  const last = Math.max(0, ...load.map(({ times }) => times.ended));
  const latency = latencyOf(load);
  const latencyOfRun = latencyOf(own);
  return {
    inFlight,
    most,
    requests: load.length,
    generations: load.reduce((sum, exchange) => sum + generationsIn(exchange), 0),
    putOff: load.filter(wasPutOff).length,
    requestsOfRun: own.length,
    besideRequests: countBeside(own, load),
    ...beside(own, load),
    ...(load.length < most ? {} : { spentAtMs: Math.round(last) }),
    ...(latency === null ? {} : { latency }),
    ...(latencyOfRun === null ? {} : { latencyOfRun }),
  };
}

function wasSent({ about, times }: Exchange): boolean {
  return about.protocol !== 'probe' && times.ended > times.started;
}

function wasPutOff(exchange: Exchange): boolean {
  const { cause = null } = transientIn(exchange) ?? {};
  return cause === 'rate-limit' || cause === 'overload';
}

/** Counts the exchanges of `own` that were in flight at the same time as at least one of `others`. */
function countBeside(own: readonly Exchange[], others: readonly Exchange[]): number {
  const starts = others.map(({ times }) => times.started).sort((one, other) => one - other);
  const ends = others.map(({ times }) => times.ended).sort((one, other) => one - other);
  // Overlap: more of the others began before its end than ended before its start.
  return own.filter(
    ({ times }) => countBelow(starts, times.ended) > countBelow(ends, times.started),
  ).length;
}

/** Returns how long `own` was in flight, and the sum of the time of `others` meanwhile. */
function beside(
  own: readonly Exchange[],
  others: readonly Exchange[],
): Pick<LoadTraffic, 'ownMs' | 'besideMs'> {
  const changes = [
    ...own.flatMap(({ times }) => [
      { at: times.started, own: 1, others: 0 },
      { at: times.ended, own: -1, others: 0 },
    ]),
    ...others.flatMap(({ times }) => [
      { at: times.started, own: 0, others: 1 },
      { at: times.ended, own: 0, others: -1 },
    ]),
  ].sort((one, other) => one.at - other.at);
  const now = { at: 0, own: 0, others: 0 };
  let [ownMs, besideMs] = [0, 0];
  for (const change of changes) {
    if (now.own > 0) {
      ownMs += change.at - now.at;
      besideMs += now.others * (change.at - now.at);
    }
    now.at = change.at;
    now.own += change.own;
    now.others += change.others;
  }
  return { ownMs: Math.round(ownMs), besideMs: Math.round(besideMs) };
}

/** @param sorted the smallest first */
function countBelow(sorted: readonly number[], limit: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns null if no generation was served completely. */
function latencyOf(exchanges: readonly Exchange[]): Latency | null {
  const served = exchanges.filter(
    ({ about, response, socket, failure }) =>
      asksToGenerate(about) &&
      socket === null &&
      failure === null &&
      response !== null &&
      response.status < 300,
  );
  if (served.length === 0) return null;
  return {
    generations: served.length,
    firstByteMs: percentiles(served.map((one) => firstByteAt(one) - one.times.started)),
    wholeMs: percentiles(served.map(({ times }) => times.ended - times.started)),
  };
}

function firstByteAt({ response, times }: Exchange): number {
  return response?.chunks[0]?.at ?? times.headers ?? times.ended;
}

function percentiles(milliseconds: readonly number[]): Percentiles {
  return percentilesOf(milliseconds.map((one) => [one, 1]));
}

const causedByLoad: ReadonlySet<string> = new Set(['rate-limit', 'overload', 'timeout']);

/** Adds the load to the reason of a verdict that is undecided because the gateway was busy. */
export function besideOthers(verdict: CheckVerdict, { inFlight }: Load): CheckVerdict {
  if (verdict.state !== 'inconclusive' || !causedByLoad.has(verdict.cause)) return verdict;
  const load = `${inFlight} other ${inFlight === 1 ? 'generation was' : 'generations were'} kept in flight`;
  return { ...verdict, reason: `${verdict.reason} (${load}: --under-load)` };
}
