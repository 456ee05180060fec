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

/** Result of a run. The exit code and every report are made from this one object. */
export interface RunResult {
  readonly suiteVersion: string;
  readonly target: TargetSummary;
  readonly seed: number;
  /** Tells this run's requests from those of any other run. */
  readonly runId: string;
  /** Random value from a verifier. The seed, the run id and the ids of all requests are derived from it. */
  readonly challenge?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Milliseconds from the start of the command's work to the last verdict. */
  readonly durationMs: number;
  readonly verdict: RunVerdict;
  /** A broken SHOULD fails the run too. */
  readonly strict: boolean;
  /** The user interrupted the run; what had been captured was judged. */
  readonly interrupted: boolean;
  /** Id prefixes that the user asked for; empty: everything. */
  readonly filters: readonly string[];
  readonly counts: Readonly<Record<CheckState, number>>;
  readonly traffic: Traffic;
  /** With whom its exchanges were; left out where none tells. */
  readonly provenance?: Provenance;
  /** The text of the interface specification that the clauses are of. */
  readonly specification: SpecificationVersion;
  /** Catalogue that the run was judged by. Its revision counts the changes of what a MUST asks. */
  readonly catalogue: CatalogueVersion;
  /** One for each check of the catalogue, in its order, whatever ran. */
  readonly checks: readonly CheckResult[];
  /** Rows that cannot be observed over the interface, with the reason. */
  readonly unchecked: readonly {
    readonly id: string;
    readonly text: string;
    readonly reason: string;
  }[];
  /** Only of a run that judges a client: each start of it, in the order in which they began. */
  readonly conversations?: readonly Conversation[];
  /**
   * Only where a key of the target would have stood in what was found: it is masked there. The ids of these checks,
   * and `conversations` for what a client printed.
   */
  readonly keysMasked?: readonly string[];
  /** Only of a part of a run that was split. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Only when the user gave a list of them. */
  readonly knownFailures?: KnownFailures;
  /** Causes for which an inconclusive check does not fail the command. The verdict stays the same. */
  readonly allowedInconclusive?: readonly Cause[];
  /** Only of what a command line judged: how to type it again. */
  readonly invocation?: Invocation;
  /** Nothing was sent: what is judged was exchanged by others, and seen there. */
  readonly observed?: ObservedIn;
  /** Only of what a command line judged: what its options add to the circumstances of the verdict. */
  readonly remarks?: readonly Remark[];
  /** Only of a run that was repeated: each check has the verdict of all rounds together. */
  readonly repeated?: Repeated;
}

/** `part 2 of 4`, of a run that was split; null: a whole run. */
export function partInWords({ shard }: Pick<RunResult, 'shard'>): string | null {
  return shard === undefined ? null : `part ${shard.index} of ${shard.of}`;
}

/** Circumstance of a run in words. */
interface Remark {
  readonly name: string;
  readonly said: string;
}

/** The rounds of a run: each sends all anew, with ids, words and prompts of its own. */
interface Repeated {
  /** Number of rounds that the user asked for. */
  readonly times: number;
  /** Rounds that began, in their order. */
  readonly rounds: readonly Round[];
}

export interface Round {
  /** Seed that repeats the random data of this round. */
  readonly seed: number;
  readonly runId: string;
  readonly verdict: RunVerdict;
  /** True if the round was ended before its time: by the user, or by a deadline. */
  readonly cut?: true;
}

/**
 * Number of rounds of a repeated run by their outcome for one check. A round that had nothing to judge is
 * not counted.
 */
export interface Tries {
  readonly held: number;
  /** True if the check did not hold, be it a MUST or a SHOULD. */
  readonly broken: number;
  /** Inconclusive, or an error of ours: it counts as neither. */
  readonly undecided: number;
  /** The rounds in which it did not hold, from 1; left out where there are none. */
  readonly brokenIn?: readonly number[];
}

/** True if fewer rounds were judged to their end than the user asked for. */
export function isUnfinished({ repeated }: Pick<RunResult, 'repeated'>): boolean {
  if (repeated === undefined) return false;
  return repeated.rounds.filter(({ cut }) => cut !== true).length < repeated.times;
}

/** A command line that judged something. */
export interface Invocation {
  /** Command that starts Touchstone: `npx gateway-touchstone`. */
  readonly program: string;
  /** Without what chose checks, and without the reports that it wrote. */
  readonly command: string;
  /** The report for programs that it wrote, which says what failed. */
  readonly report?: string;
  /** The target file. */
  readonly target?: string;
}

/** Identifies the catalogue that a run was judged by. */
interface CatalogueVersion {
  readonly revision: number;
  /** SHA-256 over the files of the catalogue. */
  readonly sha256: string;
}

/** Source of exchanges that were observed and not sent by the run. */
export type ObservedIn = 'proxy' | 'HAR';

/** Effects of a list of known failures on a run. */
export interface KnownFailures {
  /** Path of the list. */
  readonly file: string;
  /** Entries of the list: ids of checks, and ids of requirements, which stand for all their values. */
  readonly entries: readonly string[];
  /** The last day, in UTC, on which an entry counts; of those that have one. */
  readonly until?: Readonly<Record<string, string>>;
  /** Ids of the checks that failed, and did not fail the run because they are listed. */
  readonly excused: readonly string[];
  /** Ids of the checks that are undecided because of these, and nothing else. */
  readonly covered?: readonly string[];
  /** Entries whose last day was over when the run started: they excuse nothing, and fail the run. */
  readonly expired?: readonly string[];
  /** Entries of which nothing fails any more: these fail the run. */
  readonly stale: readonly string[];
}

/** A target as reports have it, with the restrictions that its file says. */
export interface TargetSummary extends SaidFlags {
  readonly name: string;
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  /**
   * Only of a run that judges a client: `name` is then the name of the client, and the regions are those
   * that it spoke to.
   */
  readonly client?: ClientSubject;
  /** Profiles that the gateway claims. Left out if a client was judged. */
  readonly claims?: Claims;
  /** The models that were judged, and those that the gateway lists; not of a client. */
  readonly models?: JudgedModels;
  /** Acts on stored responses were tried in every triple of circumstances, and not only in every pair. */
  readonly thorough?: true;
  /** The target file says that it takes no keys: what is demanded of keys was judged all the same. */
  readonly takesNoKeys?: true;
  /** Names of headers that the target file adds to requests, if there are any. */
  readonly headers?: readonly string[];
  /** Headers in which it takes the key besides the one that the specification shows, if there are any. */
  readonly acceptsAlso?: readonly {
    readonly protocol: Protocol;
    readonly headers: readonly string[];
  }[];
}

/** Profiles that a gateway claims. */
export interface Claims {
  /** Names of `fixtures/profiles.yaml`; none: what its models declare comes to none of them. */
  readonly profiles: readonly string[];
  /** The target file says so, and only that was judged; else it is what its models declare. */
  readonly stated: boolean;
}

/** Number of models that the gateway lists to its owner, and those among them that were judged. */
export interface JudgedModels {
  /** Ids, as the target file has them, of those that served a request of the run. */
  readonly judged: readonly string[];
  /** Number of models in the lists of the first region; null if no list was shown. */
  readonly listed: number | null;
  /** Number of listed models that were not judged. */
  readonly leftOut: number;
  /** The first of them, in the order of their ids. */
  readonly named: readonly string[];
}

/** A client that is judged: what was started, and how. */
export interface ClientSubject {
  /** As it was started, a word each. */
  readonly command: readonly string[];
  /** The adapter that starts it, where that is one of ours. */
  readonly adapter?: string;
  /** Version of the client, if it is known. */
  readonly version?: string;
  /** The module with the settings of the user. */
  readonly with?: string;
  /** SHA-256 of that file, in hexadecimal digits. */
  readonly withSha256?: string;
  /** True if the client knows other tasks than to generate. */
  readonly tasks: boolean;
  /** The protocols that it was asked to speak. */
  readonly speaks: readonly Protocol[];
  /** In place of a command: a gateway, whose back side is the client. */
  readonly upstreamOf?: {
    /** The base address of its front. */
    readonly front: string;
    /** The model that its front is asked for; with a `*` each scenario asks for one of its own. */
    readonly model: string;
  };
}

/** Returns the side that a run judged. */
export function sideOf({ target }: { readonly target: Pick<TargetSummary, 'client'> }): Side {
  return target.client === undefined ? 'gateway' : 'client';
}

/** Reasons why requests had to wait before they were sent. */
export const heldBackBy = [
  /** `limits.concurrency` of the target file: all slots were taken. */
  'concurrency',
  /** `limits.requestsPerSecond`. */
  'requests-per-second',
  /** `limits.hostilePerSecond`. */
  'hostile-per-second',
  /** The gateway answered 429, or said when to ask again. */
  'rate-limit',
  /** The gateway had locked this address or a key out, or would do so if asked faster. */
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
  /** Milliseconds in which nothing could be sent that waited. */
  readonly ms: number;
  /** The number in the target file. */
  readonly limit?: number;
}

/** The gateway ended. */
export interface GatewayEnd {
  /** Key of an exchange that was under way then; where it was the only one, of that which ended it. */
  readonly exchange: string;
  /** `POST /v1/responses` */
  readonly request: string;
  /** Exchanges that were under way. */
  readonly underWay: number;
}

/** A scenario that was run, and how long it waited for the gateway. */
export interface ScenarioTime {
  readonly name: string;
  /**
   * Milliseconds in which at least one of its requests was under way, or in which it paused between two polls;
   * what it waited for a free slot, and for other scenarios, is no part of it.
   */
  readonly durationMs: number;
}

export interface Traffic {
  readonly requests: number;
  /** Generations that were served: what the user pays for. */
  readonly generations: number;
  /** Milliseconds from the first request to the last answer. */
  readonly spanMs: number;
  /** The longest chain of dependent requests: what they took, and the pauses between polls. */
  readonly longestChainMs: number;
  /** Requests, and turns of a WebSocket, in that chain. */
  readonly longestChainRequests: number;
  /** Milliseconds of that chain that were pauses between polls. */
  readonly longestChainPausesMs: number;
  /**
   * Milliseconds that requests were under way, all together. Of a WebSocket, and of a stream that a
   * scenario goes on beside, until it stood.
   */
  readonly latencyMs: number;
  /** Duration of each scenario, in the order in which they began; left out by older reports. */
  readonly scenarios?: readonly ScenarioTime[];
  /** Times at which the gateway exited, so that nothing listened any more; left out if it never did. */
  readonly ended?: readonly GatewayEnd[];
  /** Connections that broke in the place of an answer; each such request was made again. Left out where none did. */
  readonly brokenConnections?: number;
  /** Causes that delayed waiting requests; a cause that delayed none is left out. */
  readonly heldBack?: readonly HeldBack[];
  /** Undecided checks whose requests were repeated at the end of the run. */
  readonly settled?: Settled;
  /**
   * Traits by which the gateway could recognise the run; left out if the requests were not ours, and by
   * older reports.
   */
  readonly recognisable?: Recognisable;
  /** The generations in flight during the run, which are none of its own; left out where none were asked for. */
  readonly load?: LoadTraffic;
}

/** Generations of other users that were in flight while a run judged, by outcome. */
export interface LoadTraffic {
  /** Maximum number of concurrent generations. */
  readonly inFlight: number;
  /** Maximum number of generations in total. */
  readonly most: number;
  readonly requests: number;
  /** Number of generations that were served. The user pays for these. */
  readonly generations: number;
  /** Number of requests that the gateway answered with 429 or an overload. */
  readonly putOff: number;
  /** Requests of the run itself, and how many of these had at least one of the load in flight with them. */
  readonly requestsOfRun: number;
  readonly besideRequests: number;
  /** Milliseconds in which requests of the run were under way, and those of the load meanwhile, all together. */
  readonly ownMs: number;
  readonly besideMs: number;
  /** Milliseconds after the start of the run when the last of all that it may ask for had ended; left out where some were left. */
  readonly spentAtMs?: number;
  /**
   * Latency of the served generations of the load, and of the generations of the run. Each is left out if
   * there were none.
   */
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
  /** Id of the catalogue row. */
  readonly requirement: string;
  readonly level: Level;
  readonly text: string;
  readonly basis: Basis;
  /** Names of the scenarios that it was judged on; none when it did not run. */
  readonly scenarios: readonly string[];
  /** Milliseconds that these scenarios took together; left out where nothing was sent for it alone. */
  readonly durationMs?: number;
  readonly verdict: CheckVerdict;
  /** Longest lag of each kind that the check waited for; empty or left out if every effect showed at once. */
  readonly lags?: readonly Lag[];
  /** Judged on every exchange of a run; each part of a run that is split judges its own. */
  readonly everywhere?: true;
  /** Only of a run that was repeated, and not of a MAY. */
  readonly tries?: Tries;
}

/** Operations on a stored response whose effect has to show in later requests. */
const lagging = ['stored', 'ended', 'cancelled', 'deleted'] as const;
export type Lagging = (typeof lagging)[number];

/** Delay until a gateway showed the effect of an operation. */
export interface Lag {
  readonly what: Lagging;
  /** From the answer that said that it was done to the first request that was answered so. */
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

/** At how many points checks were judged; what tells of no points was judged at one. */
export function pointsJudged(checks: readonly Pick<CheckResult, 'verdict'>[]): number {
  return checks.reduce(
    (sum, { verdict }) => sum + (isAtPoints(verdict) ? (verdict.points?.judged ?? 1) : 0),
    0,
  );
}

/** Milliseconds that some scenarios took together, of those that were run; undefined: none was. */
export function durationOf(
  names: Iterable<string>,
  { scenarios = [] }: Pick<Traffic, 'scenarios'>,
): number | undefined {
  const wanted = new Set(names);
  const run = scenarios.filter(({ name }) => wanted.has(name));
  if (run.length === 0) return undefined;
  return Math.round(100 * run.reduce((sum, { durationMs }) => sum + durationMs, 0)) / 100;
}

/** The suite of an id: everything before the area. `access/credentials.key-required` → `access`. */
export function suiteOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** Counts the checks in each state. */
export function countsOf(
  checks: readonly Pick<CheckResult, 'verdict'>[],
): Readonly<Record<CheckState, number>> {
  const counts = Object.fromEntries(checkStates.map((state) => [state, 0]));
  for (const { verdict } of checks) counts[verdict.state] = (counts[verdict.state] ?? 0) + 1;
  return counts as Record<CheckState, number>;
}
