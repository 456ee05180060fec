import type { Conversation } from './conversation.ts';
import type { Percentiles } from './percentiles.ts';
import type { Protocol } from './protocol.ts';
import type { Provenance } from './provenance.ts';
import type { Recognisable } from './recognisable.ts';
import type { Basis, Level, Side } from './requirement.ts';
import type { SpecificationVersion } from './specification.ts';
import {
  type Cause,
  type CheckState,
  type CheckVerdict,
  checkStates,
  isAtPoints,
  type RunVerdict,
  type SaidFlags,
} from './verdict.ts';

/** Result of a run. The exit code and every report derive from this object alone. */
export interface RunResult {
  readonly suiteVersion: string;
  readonly target: TargetSummary;
  readonly seed: number;
  /** Distinguishes the requests of this run from those of any other run. */
  readonly runId: string;
  /** Random value from a verifier. The seed, the run id and the ids of all requests derive from it. */
  readonly challenge?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Milliseconds from the start of the command's work to the last verdict. */
  readonly durationMs: number;
  readonly verdict: RunVerdict;
  /** A broken SHOULD fails the run, too. */
  readonly strict: boolean;
  /** True if the user interrupted the run. The captures so far were judged. */
  readonly interrupted: boolean;
  /** Id prefixes that the user gave; empty: everything. */
  readonly filters: readonly string[];
  readonly counts: Readonly<Record<CheckState, number>>;
  readonly traffic: Traffic;
  /** Peers of its exchanges; absent if no exchange has one. */
  readonly provenance?: Provenance;
  /** The text of the interface specification that the clauses refer to. */
  readonly specification: SpecificationVersion;
  /** Catalogue that the run was judged by. Its revision counts the changes of MUSTs. */
  readonly catalogue: CatalogueVersion;
  /** One for each check of the catalogue, in its order, including those that did not run. */
  readonly checks: readonly CheckResult[];
  /** Rows that cannot be observed over the interface, with the reason. */
  readonly unchecked: readonly {
    readonly id: string;
    readonly text: string;
    readonly reason: string;
  }[];
  /** Starts of the client, in order. Only if a client was judged. */
  readonly conversations?: readonly Conversation[];
  /** Ids of the checks with a masked key in their findings, and `conversations`. Absent if none. */
  readonly keysMasked?: readonly string[];
  /** Only for a part of a split run. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Only if the user gave a list of them. */
  readonly knownFailures?: KnownFailures;
  /** Causes for which an inconclusive check does not fail the command. The verdict stays the same. */
  readonly allowedInconclusive?: readonly Cause[];
  /** Command line that repeats the run. Only if a command line judged it. */
  readonly invocation?: Invocation;
  /** Source of the exchanges, if they were observed and no run has sent them. */
  readonly observed?: ObservedIn;
  /** Circumstances of the verdict that options add. Only if a command line judged it. */
  readonly remarks?: readonly Remark[];
  /** Rounds of a repeated run. Each check then has the joint verdict of all rounds. */
  readonly repeated?: Repeated;
}

/** Returns `part 2 of 4` for a part of a split run; null for a whole run. */
export function partInWords({ shard }: Pick<RunResult, 'shard'>): string | null {
  return shard === undefined ? null : `part ${shard.index} of ${shard.of}`;
}

interface Remark {
  readonly name: string;
  readonly said: string;
}

/** Rounds of a run. Each sends all requests anew, with new ids, random data and prompts. */
interface Repeated {
  readonly times: number;
  /** Rounds that began, in order. */
  readonly rounds: readonly Round[];
}

export interface Round {
  /** Seed that reproduces the random data of this round. */
  readonly seed: number;
  readonly runId: string;
  readonly verdict: RunVerdict;
  /** True if the round ended early: by the user, or by a deadline. */
  readonly cut?: true;
}

/** Numbers of rounds by their outcome for one check, without rounds that judged nothing. */
export interface Tries {
  readonly held: number;
  /** Number of rounds in which the check, a MUST or a SHOULD, did not hold. */
  readonly broken: number;
  /** Number of rounds that were inconclusive or had an internal error. */
  readonly undecided: number;
  /** Numbers of the rounds in which the check did not hold, from 1; absent if there are none. */
  readonly brokenIn?: readonly number[];
}

/** True if fewer rounds were completed than the user requested. */
export function isUnfinished({ repeated }: Pick<RunResult, 'repeated'>): boolean {
  if (repeated === undefined) return false;
  return repeated.rounds.filter(({ cut }) => cut !== true).length < repeated.times;
}

export interface Invocation {
  /** Command that starts Touchstone: `npx --no gateway-touchstone`. */
  readonly program: string;
  /** Without the selection of checks, and without the reports that it wrote. */
  readonly command: string;
  /** Path of a machine-readable report that it wrote, which lists the failures. */
  readonly report?: string;
  readonly target?: string;
}

interface CatalogueVersion {
  readonly revision: number;
  /** SHA-256 over the files of the catalogue. */
  readonly sha256: string;
}

/** Source of exchanges that were observed and not sent by the run. */
export type ObservedIn = 'proxy' | 'HAR';

export interface KnownFailures {
  readonly file: string;
  /** Entries of the list: ids of checks, and ids of requirements, which include all their values. */
  readonly entries: readonly string[];
  /** The last day, in UTC, of the entries that have one. */
  readonly until?: Readonly<Record<string, string>>;
  /** Ids of the checks that failed, and did not fail the run because they are listed. */
  readonly excused: readonly string[];
  /** Ids of the checks that are undecided only because of these. */
  readonly covered?: readonly string[];
  /** Entries whose last day was over when the run started: they excuse nothing, and fail the run. */
  readonly expired?: readonly string[];
  /** Entries without a failing check: they fail the run. */
  readonly stale: readonly string[];
}

export interface TargetSummary extends SaidFlags {
  readonly name: string;
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Only if a client was judged: `name` is its name, and the regions are those that it spoke to. */
  readonly client?: ClientSubject;
  /** Routes of the gateway whose provider was Touchstone. Absent if it played none. */
  readonly providers?: readonly {
    readonly model: string;
    readonly asks: Protocol;
    readonly as: string;
  }[];
  /** Behaviour between its sides that the target file declares, in words. Absent if it declares none. */
  readonly declares?: readonly string[];
  /** Profiles that the gateway claims. Absent if a client was judged. */
  readonly claims?: Claims;
  /** The models that were judged, and those that the gateway lists. Absent if a client was judged. */
  readonly models?: JudgedModels;
  /** Acts that cost generations were tried in more circumstances, on each kind of stored response in each region. */
  readonly thorough?: true;
  /** The target file gives no keys. Requirements on keys were judged all the same. */
  readonly takesNoKeys?: true;
  /** Names of headers that the target file adds to requests, if any. */
  readonly headers?: readonly string[];
  /** Names of endpoints that the gateway serves as well, and that were not judged. */
  readonly alsoServes?: readonly string[];
  /** Headers for the key that the gateway accepts in addition to those of the specification, if any. */
  readonly acceptsAlso?: readonly {
    readonly protocol: Protocol;
    readonly headers: readonly string[];
  }[];
}

export interface Claims {
  /** Names in `fixtures/profiles.yaml`; empty: the models declare too little for any profile. */
  readonly profiles: readonly string[];
  /** True if the target file states the profiles; false if they derive from the models. */
  readonly stated: boolean;
}

/** Number of models that the gateway lists to its owner, and those among them that were judged. */
export interface JudgedModels {
  /** Ids, as the target file has them, of those that served a request of the run. */
  readonly judged: readonly string[];
  /** Number of models in the lists of the first region; null if no list was shown. */
  readonly listed: number | null;
  readonly leftOut: number;
  /** The first of them, sorted by id. */
  readonly named: readonly string[];
}

export interface ClientSubject {
  /** Command and arguments. */
  readonly command: readonly string[];
  readonly adapter?: string;
  /** Version of the client, if it is known. */
  readonly version?: string;
  /** Path of the module with the settings of the user. */
  readonly with?: string;
  /** SHA-256 of that module, in hexadecimal digits. */
  readonly withSha256?: string;
  /** True if the client supports other tasks than `generate`. */
  readonly tasks: boolean;
  /** The protocols that it was started for. */
  readonly speaks: readonly Protocol[];
  /** A gateway whose provider side is the client under test, in place of a command. */
  readonly upstreamOf?: {
    /** The base address of its front. */
    readonly front: string;
    /** The model that is requested at its front. A `*` is replaced for each scenario. */
    readonly model: string;
  };
}

/** Members of a target, or of its summary, that tell which side a run judges. */
interface SidedTarget {
  readonly client?: unknown;
  readonly providers?: unknown;
}

/** Returns the side that a run of the target judges. */
export function sideOf({ target }: { readonly target: SidedTarget }): Side {
  if (target.client !== undefined) return 'client';
  return target.providers === undefined ? 'gateway' : 'both-sides';
}

/** Reasons why requests had to wait before they were sent. */
export const heldBackBy = [
  /** `limits.concurrency` of the target file: all slots were taken. */
  'concurrency',
  /** `limits.requestsPerSecond`. */
  'requests-per-second',
  /** `limits.hostilePerSecond`. */
  'hostile-per-second',
  /** The gateway answered 429, or sent a time to retry after. */
  'rate-limit',
  /** The gateway had locked this address or a key out, or would do so at a higher rate. */
  'lockout',
] as const;

export type HeldBy = (typeof heldBackBy)[number];

/** Undecided checks whose requests were repeated at the end of a run. */
export interface Settled {
  readonly checks: number;
  /** Number of these checks that are decided since. */
  readonly decided: number;
}

export interface HeldBack {
  readonly by: HeldBy;
  /** Milliseconds in which requests waited and none could be sent. */
  readonly ms: number;
  readonly limit?: number;
}

export interface GatewayEnd {
  /** Id of an exchange that was in flight; if it was the only one, the gateway ended at it. */
  readonly exchange: string;
  /** `POST /v1/responses` */
  readonly request: string;
  readonly underWay: number;
}

export interface ScenarioTime {
  readonly name: string;
  /**
   * Milliseconds in which at least one of its requests was in flight, or in which it paused between two polls.
   * Waiting for a free slot or for other scenarios does not count.
   */
  readonly durationMs: number;
}

export interface Traffic {
  readonly requests: number;
  /** Served generations, which the user pays for. */
  readonly generations: number;
  /** Milliseconds from the first request to the last answer. */
  readonly spanMs: number;
  /** Milliseconds of the longest chain of dependent requests, including pauses between polls. */
  readonly longestChainMs: number;
  /** Requests, and turns of a WebSocket, in that chain. */
  readonly longestChainRequests: number;
  /** Milliseconds of that chain that were pauses between polls. */
  readonly longestChainPausesMs: number;
  /**
   * Milliseconds that requests were in flight, added up. A WebSocket counts until it is open; a stream during which
   * its scenario continues, until its first event.
   */
  readonly latencyMs: number;
  /** Duration of each scenario, in the order of their starts; absent in older reports. */
  readonly scenarios?: readonly ScenarioTime[];
  /** Exits of the gateway, after which nothing listened; absent if there were none. */
  readonly ended?: readonly GatewayEnd[];
  /** Connections that broke before an answer, and were retried. Absent if there were none. */
  readonly brokenConnections?: number;
  /** Causes that delayed requests; causes that delayed none are left out. */
  readonly heldBack?: readonly HeldBack[];
  /** Undecided checks whose requests were repeated at the end of the run. */
  readonly settled?: Settled;
  /** Traits by which the gateway could recognise the run; absent if the requests were not ours. */
  readonly recognisable?: Recognisable;
  /** Load in flight during the run, which is no part of it; absent if none was requested. */
  readonly load?: LoadTraffic;
}

export interface LoadTraffic {
  /** Maximum number of concurrent generations. */
  readonly inFlight: number;
  readonly most: number;
  readonly requests: number;
  /** Number of served generations, which the user pays for. */
  readonly generations: number;
  /** Number of requests that the gateway answered with 429 or an overload. */
  readonly putOff: number;
  /** Requests of the run itself, and how many of these overlapped with at least one of the load. */
  readonly requestsOfRun: number;
  readonly besideRequests: number;
  /** Milliseconds with requests of the run in flight, and the sum for those of the load meanwhile. */
  readonly ownMs: number;
  readonly besideMs: number;
  /** Milliseconds until the last generation of the budget had ended; absent if some were left. */
  readonly spentAtMs?: number;
  /** Latency of served generations, of the load and of the run; absent if there were none. */
  readonly latency?: Latency;
  readonly latencyOfRun?: Latency;
}

/** Latency of generations, for information only. */
export interface Latency {
  readonly generations: number;
  /** To the first byte of the body. */
  readonly firstByteMs: Percentiles;
  readonly wholeMs: Percentiles;
}

export interface CheckResult {
  /** `storage/responses.false-denies:lookup` */
  readonly id: string;
  /** `storage` */
  readonly suite: string;
  readonly requirement: string;
  readonly level: Level;
  readonly text: string;
  readonly basis: Basis;
  /** Names of the scenarios that it was judged on; empty if it did not run. */
  readonly scenarios: readonly string[];
  /** Milliseconds that these scenarios took together; absent if none of them ran. */
  readonly durationMs?: number;
  readonly verdict: CheckVerdict;
  /** Longest lag of each kind; empty or absent if every change showed at once. */
  readonly lags?: readonly Lag[];
  /** Set if judged on every exchange of a run. Each part of a split run judges its own exchanges. */
  readonly everywhere?: true;
  /** Only for a repeated run, and not for a MAY. */
  readonly tries?: Tries;
}

/** Changes of a stored response that later requests have to show. */
const lagging = ['stored', 'ended', 'cancelled', 'deleted'] as const;
export type Lagging = (typeof lagging)[number];

export interface Lag {
  readonly what: Lagging;
  /** From the answer that confirmed the change to the first request whose answer showed it. */
  readonly ms: number;
}

/** Returns the longest lag of each kind, in the order of the kinds. */
export function longestLags(lags: Iterable<Lag>): readonly Lag[] {
  const all = [...lags];
  return lagging.flatMap((what) => {
    const own = all.filter((lag) => lag.what === what).map(({ ms }) => ms);
    return own.length === 0 ? [] : [{ what, ms: Math.max(...own) }];
  });
}

/** Returns the number of points at which checks were judged. A verdict without points counts as one. */
export function pointsJudged(checks: readonly Pick<CheckResult, 'verdict'>[]): number {
  return checks.reduce(
    (sum, { verdict }) => sum + (isAtPoints(verdict) ? (verdict.points?.judged ?? 1) : 0),
    0,
  );
}

/** Returns the milliseconds that scenarios took together; undefined if none of them ran. */
export function durationOf(
  names: Iterable<string>,
  { scenarios = [] }: Pick<Traffic, 'scenarios'>,
): number | undefined {
  const wanted = new Set(names);
  const run = scenarios.filter(({ name }) => wanted.has(name));
  if (run.length === 0) return undefined;
  return Math.round(100 * run.reduce((sum, { durationMs }) => sum + durationMs, 0)) / 100;
}

/** Returns the suite of an id: `access` for `access/credentials.key-required`. */
export function suiteOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

export function countsOf(
  checks: readonly Pick<CheckResult, 'verdict'>[],
): Readonly<Record<CheckState, number>> {
  const counts = Object.fromEntries(checkStates.map((state) => [state, 0]));
  for (const { verdict } of checks) counts[verdict.state] = (counts[verdict.state] ?? 0) + 1;
  return counts as Record<CheckState, number>;
}
