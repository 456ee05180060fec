import type { Exchange } from '../../core/exchange.ts';
import type { Latency, LoadTraffic, Percentiles } from '../../core/result.ts';
import type { CheckVerdict } from '../../core/verdict.ts';
import { transientIn } from '../../judge/judged.ts';
import { generationsIn } from '../../protocols/generations.ts';
import { asksToGenerate } from '../../protocols/modules.ts';
import { isLoad, type Load } from './load.ts';

/**
 * What came of the load of a run, and how long generations took meanwhile.
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

/** How many of them had at least one of the others under way beside them. */
function countBeside(own: readonly Exchange[], others: readonly Exchange[]): number {
  const starts = others.map(({ times }) => times.started).sort((one, other) => one - other);
  const ends = others.map(({ times }) => times.ended).sort((one, other) => one - other);
  // Those that had begun before it ended, without those that had ended before it began.
  return own.filter(
    ({ times }) => countBelow(starts, times.ended) > countBelow(ends, times.started),
  ).length;
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

/** Null: none was served to its end. */
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

/** Each is a time that was seen: that of the first which as many took no longer than. */
function percentiles(milliseconds: readonly number[]): Percentiles {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const at = (share: number): number =>
    Math.round(10 * (sorted[Math.ceil(share * sorted.length) - 1] ?? 0)) / 10;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

const causedByLoad: ReadonlySet<string> = new Set(['rate-limit', 'overload', 'timeout']);

/** What is undecided because the gateway had too much to do says that the run has given it more than its own. */
export function besideOthers(verdict: CheckVerdict, { inFlight }: Load): CheckVerdict {
  if (verdict.state !== 'inconclusive' || !causedByLoad.has(verdict.cause)) return verdict;
  const load = `${inFlight} other ${inFlight === 1 ? 'generation was' : 'generations were'} kept in flight`;
  return { ...verdict, reason: `${verdict.reason} (${load}: --under-load)` };
}
