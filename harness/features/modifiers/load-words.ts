import type { Latency, Percentiles, Traffic } from '../../kernel/core/index.ts';
import { counted } from '../../kernel/report/index.ts';

/**
 * `up to 4 generations of others in flight, beside 1790 of 1835 requests; …`: load during the run, and the duration
 * of generations. Null if there was none.
 */
export function loadInWords({ load }: Traffic): string | null {
  if (load === undefined) return null;
  const { inFlight, most, requests, generations, putOff, requestsOfRun, besideRequests } = load;
  const { spentAtMs, latency, latencyOfRun, ownMs, besideMs } = load;
  const onAverage = ownMs === 0 ? '' : `, ${(besideMs / ownMs).toFixed(1)} on average`;
  // The budget of the load is spread over the run, so the load was not constantly at its maximum.
  const isShort = requests >= 0.75 * most && besideRequests < requestsOfRun;
  const failed = requests - generations - putOff;
  const took = (which: string, of: Latency | undefined): string[] =>
    of === undefined ? [] : [`${which} ${latencyInWords(of)}`];
  return [
    `up to ${counted(inFlight, 'generation')} of others in flight${onAverage}, beside ${besideRequests} of ${requestsOfRun} requests`,
    `${generations} served, of at most ${most}${isShort ? ' (--load-generations N allows more)' : ''}`,
    ...(putOff === 0 ? [] : [`${putOff} put off (429, an overload)`]),
    ...(failed === 0 ? [] : [`${failed} not served`]),
    ...(spentAtMs === undefined
      ? []
      : [
          `the last of them ended after ${(spentAtMs / 1_000).toFixed(1)} s: from then on there was no load`,
        ]),
    ...took('theirs took', latency),
    ...took('those of the run', latencyOfRun),
  ].join('; ');
}

/** Latencies in milliseconds. */
function latencyInWords({ firstByteMs, wholeMs }: Latency): string {
  const told = ({ p50, p90, p99 }: Percentiles): string => `${p50}, ${p90}, ${p99} ms`;
  return `${told(wholeMs)} (p50, p90, p99; to the first byte ${told(firstByteMs)})`;
}
