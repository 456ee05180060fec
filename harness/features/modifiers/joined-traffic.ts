import {
  heldBackBy,
  type Latency,
  type LoadTraffic,
  type Percentiles,
  percentilesOf,
  type Recognisable,
  type RunResult,
  type Settled,
  type Traffic,
} from '../../kernel/core/index.ts';

/** Time from the first start to the last end. */
export function joinedTimes(
  runs: readonly Pick<RunResult, 'startedAt' | 'durationMs'>[],
): Pick<RunResult, 'startedAt' | 'durationMs'> {
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const ends = runs.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  const start = Math.min(...starts);
  return { startedAt: new Date(start).toISOString(), durationMs: Math.max(...ends) - start };
}

/** Adds up the times for which requests were delayed. The sum of concurrent parts may exceed the elapsed time. */
function heldBackOf(all: readonly Traffic[]): Pick<Traffic, 'heldBack'> {
  const held = all.flatMap(({ heldBack = [] }) => heldBack);
  const sums = heldBackBy.flatMap((by) => {
    const own = held.filter((one) => one.by === by);
    const [first] = own;
    return first === undefined ? [] : [{ ...first, ms: own.reduce((sum, { ms }) => sum + ms, 0) }];
  });
  return sums.length === 0 ? {} : { heldBack: sums };
}

function endedOf(all: readonly Traffic[]): Pick<Traffic, 'ended'> {
  const ends = all.flatMap(({ ended = [] }) => ended);
  return ends.length === 0 ? {} : { ended: ends };
}

function brokenOf(all: readonly Traffic[]): Pick<Traffic, 'brokenConnections'> {
  const broken = all.reduce((sum, { brokenConnections = 0 }) => sum + brokenConnections, 0);
  return broken === 0 ? {} : { brokenConnections: broken };
}

function settledOf(all: readonly Traffic[]): Pick<Traffic, 'settled'> {
  const settled = all.flatMap((one) => one.settled ?? []);
  if (settled.length === 0) return {};
  const sum = (of: (one: Settled) => number): number =>
    settled.reduce((total, one) => total + of(one), 0);
  return { settled: { checks: sum(({ checks }) => checks), decided: sum((one) => one.decided) } };
}

function recognisableOf(all: readonly Traffic[]): Pick<Traffic, 'recognisable'> {
  const parts = all.flatMap(({ recognisable }) => recognisable ?? []);
  if (parts.length === 0) return {};
  const sum = (of: (part: Recognisable) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    recognisable: {
      requests: sum(({ requests }) => requests),
      named: sum(({ named }) => named),
      userAgents: [...new Set(parts.flatMap(({ userAgents }) => userAgents))].sort(),
      identified: sum(({ identified }) => identified),
      ownConnection: sum(({ ownConnection }) => ownConnection),
      prompts: sum(({ prompts }) => prompts),
      // Wordings that several parts used count repeatedly, because their texts are no longer known.
      wordings: sum(({ wordings }) => wordings),
      commonestWording: Math.max(...parts.map(({ commonestWording }) => commonestWording)),
    },
  };
}

/** Adds up the durations of scenarios that ran in several parts. */
function scenariosOf(all: readonly Traffic[]): Pick<Traffic, 'scenarios'> {
  const times = new Map<string, number>();
  for (const { name, durationMs } of all.flatMap(({ scenarios = [] }) => scenarios)) {
    times.set(name, (times.get(name) ?? 0) + durationMs);
  }
  return { scenarios: [...times].map(([name, durationMs]) => ({ name, durationMs })) };
}

export function joinedTraffic(runs: readonly Pick<RunResult, 'startedAt' | 'traffic'>[]): Traffic {
  const all = runs.map(({ traffic }) => traffic);
  const sum = (of: (traffic: Traffic) => number): number =>
    all.reduce((total, traffic) => total + of(traffic), 0);
  const longest = all.reduce((a, b) => (b.longestChainMs > a.longestChainMs ? b : a));
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const ends = runs.map(({ startedAt, traffic }) => Date.parse(startedAt) + traffic.spanMs);
  return {
    ...longest,
    requests: sum(({ requests }) => requests),
    generations: sum(({ generations }) => generations),
    // Parts have no common clock for the times of their first requests.
    spanMs: Math.max(...ends) - Math.min(...starts),
    latencyMs: sum(({ latencyMs }) => latencyMs),
    ...scenariosOf(all),
    ...endedOf(all),
    ...brokenOf(all),
    ...heldBackOf(all),
    ...settledOf(all),
    ...recognisableOf(all),
    ...joinedLoad(all),
  };
}

function joinedLoad(all: readonly Traffic[]): Pick<Traffic, 'load'> {
  const [first, ...others] = all.flatMap(({ load }) => load ?? []);
  if (first === undefined) return {};
  const load = others.reduce((one, other): LoadTraffic => {
    const { spentAtMs: _, ...rest } = one;
    const spentAtMs = Math.min(one.spentAtMs ?? Infinity, other.spentAtMs ?? Infinity);
    const latency = joinedLatency(one.latency, other.latency);
    const latencyOfRun = joinedLatency(one.latencyOfRun, other.latencyOfRun);
    return {
      ...rest,
      most: one.most + other.most,
      requests: one.requests + other.requests,
      generations: one.generations + other.generations,
      putOff: one.putOff + other.putOff,
      requestsOfRun: one.requestsOfRun + other.requestsOfRun,
      besideRequests: one.besideRequests + other.besideRequests,
      ownMs: one.ownMs + other.ownMs,
      besideMs: one.besideMs + other.besideMs,
      ...(spentAtMs === Infinity ? {} : { spentAtMs }),
      ...(latency === undefined ? {} : { latency }),
      ...(latencyOfRun === undefined ? {} : { latencyOfRun }),
    };
  }, first);
  return { load };
}

function joinedLatency(one: Latency | undefined, other: Latency | undefined): Latency | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const both = (a: Percentiles, b: Percentiles): Percentiles =>
    percentilesOf([...a.seen, ...b.seen]);
  return {
    generations: one.generations + other.generations,
    firstByteMs: both(one.firstByteMs, other.firstByteMs),
    wholeMs: both(one.wholeMs, other.wholeMs),
  };
}
