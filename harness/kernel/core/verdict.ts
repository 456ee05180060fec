/** All verdicts, on checks and on runs. The exit code and every report derive from this union. */

/** Locates the exchange that proves a finding in the recording. */
export interface Evidence {
  /** Id of the exchange, `<scenario>#<lane>/<ordinal>`. */
  readonly exchange: string;
  /** `POST /v1/responses`, without the base address. */
  readonly request: string;
  /** Operation of the request: `responses.lookup`. Absent if a client was judged. */
  readonly operation?: string;
  /** Name of the key in the target file, or `none`, `unknown`. Absent if `operation` is. */
  readonly key?: string;
  /** True if the request was answered natively and completely. Absent if `operation` is. */
  readonly served?: boolean;
  /**
   * Kind of the answer: its status, or null without one, and its content: `error`, `generated`, `json`, `text`,
   * `none`, or `json, reset` if it was interrupted. Absent if `operation` is.
   */
  readonly answer?: { readonly status: number | null; readonly kind: string };
  /** `200`, `no answer (connection reset)` and the like. */
  readonly outcome: string;
  /** Description of the answer, with the beginning of its body or its last event; redacted. */
  readonly received: string;
  /** A command line that repeats the request, with `$TOUCHSTONE_KEY` in place of the key. */
  readonly curl: string;
}

/** Expected and actual behaviour of a requirement that does not hold. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly evidence: Evidence | null;
  /** Machine-readable form, for programs that group findings. */
  readonly difference?: Difference;
  /**
   * Places of the finding in the answer: paths in its JSON body, `usage.total_tokens`, or events of a stream,
   * `events[3]`. A missing member has a place, too. Absent if the finding concerns the whole answer.
   */
  readonly places?: readonly string[];
}

export interface Difference {
  /**
   * Extent of the deviation:
   *
   * - `unserved`: the request should have been served natively, and was not
   * - `unrefused`: the request should have been refused, and was not
   * - `part`: part of the answer is wrong
   */
  readonly kind: 'unserved' | 'unrefused' | 'part';
  /** Actual behaviour, without the place where it was seen. */
  readonly actual: string;
  /** Name of the wrong value, if it is one. */
  readonly value?: string;
}

/** Machine-readable reasons why a check is undecided. Reports and advice depend on them. */
export const causes = [
  /** 429 and similar, including a limit on connections. */
  'rate-limit',
  /** 503, 529 and similar. */
  'overload',
  /** Our timeout, or one that the gateway reported: 504. */
  'timeout',
  /** No connection, or a gateway in front of the target that has none: 502. */
  'unreachable',
  /** 402 and similar. */
  'no-credit',
  /** The gateway locked us out after wrong keys or bad input, or a firewall shows a block page. */
  'locked-out',
  /** A precondition of the check is missing. Another check judges it. */
  'prerequisite',
  /** The control was not served, so that a refusal does not count. */
  'control',
  /** The answer can be read in more than one way. */
  'ambiguous',
  /** Our machine had no room, for example for further sockets. */
  'local-resources',
  /** The answer breaks no rule of HTTP or WebSocket, but our library cannot read it. */
  'unread',
  /** The answer exceeds our limits on bytes, frames, lines, values or the depth of JSON. */
  'too-large',
  /** The user, or a full memory, ended the run. */
  'interrupted',
  /** The time limit of the run had passed. */
  'out-of-time',
  /** The generations of the run were spent: the gateway served some that it had to refuse. */
  'over-budget',
  /** The part of a split run that judged it has no report. */
  'missing-report',
] as const;

export type Cause = (typeof causes)[number];

/** True if a cause says nothing about the gateway: the same request may be served later. */
export function isTransient(cause: Cause): boolean {
  return cause !== 'prerequisite' && cause !== 'control' && cause !== 'ambiguous';
}

/** Causes that a user may accept beforehand. The others are never intended. */
export const allowableCauses: readonly Cause[] = causes.filter(
  (cause) => cause !== 'interrupted' && cause !== 'missing-report',
);

/** Information that the target file has to give before a check can be judged. */
export interface Gap {
  readonly kind:
    | 'key'
    | 'region'
    | 'probe'
    | 'model'
    | 'permission'
    | 'protocol'
    | 'capability'
    | 'tasks';
  /** Names of keys, probes, protocols or capabilities, as target files write them, sorted. */
  readonly names: readonly string[];
}

/** Limitations of a gateway that a target file can state. @see fixtures/profiles.yaml */
export const restrictionNames = [
  'single-region',
  'single-user',
  'one-key-per-user',
  'no-permissions',
  'without-storage',
  'without-probes',
] as const;
export type Restriction = (typeof restrictionNames)[number];

/** The field for each restriction, in a target file and in the target of a report. */
export const restrictionFields = {
  'single-region': 'singleRegion',
  'single-user': 'singleUser',
  'one-key-per-user': 'oneKeyPerUser',
  'no-permissions': 'noPermissions',
  'without-storage': 'withoutStorage',
  'without-probes': 'withoutProbes',
} as const satisfies Readonly<Record<Restriction, string>>;

/** Restrictions as fields; an absent field is false. */
export type RestrictionFlags = { readonly [Field in RestrictionField]?: boolean };
type RestrictionField = (typeof restrictionFields)[Restriction];

/** Fields of the restrictions that are stated. */
export type SaidFlags = { readonly [Field in RestrictionField]?: true };

export function flagsIn(said: RestrictionFlags): RestrictionFlags {
  const fields = Object.values(restrictionFields);
  return Object.fromEntries(fields.map((field) => [field, said[field] ?? false]));
}

/** Returns the restrictions that are stated, in a fixed order. */
export function restrictionsSaid(flags: RestrictionFlags): readonly Restriction[] {
  return restrictionNames.filter((name) => flags[restrictionFields[name]] === true);
}

/** Returns the fields of these restrictions, each `true`. */
export function flagsOf(names: readonly Restriction[]): SaidFlags {
  return Object.fromEntries(names.map((name) => [restrictionFields[name], true]));
}

/** Number of judged points: exchanges of a run, or acts of a covering design. */
export interface Points {
  readonly judged: number;
  /** Number of judged points at which the requirement does not hold. */
  readonly broken: number;
}

/** Fields of a verdict that can be judged at more than one point. */
interface AtPoints {
  readonly points?: Points;
}

export type CheckVerdict =
  | ({ readonly state: 'pass' } & AtPoints)
  /** A MUST is broken. */
  | ({ readonly state: 'fail' } & Finding & AtPoints)
  /** A SHOULD is broken. */
  | ({ readonly state: 'warn' } & Finding & AtPoints)
  /** A MAY, with the observation. */
  | ({ readonly state: 'note' } & Finding & AtPoints)
  /** Not offered by the target, and not claimed. */
  | {
      readonly state: 'not-applicable';
      readonly reason: string;
      /** Protocols or capabilities that no model declares, if that is the reason. */
      readonly gap?: Gap;
      readonly restriction?: Restriction;
    }
  /** Offered, but the target file lacks the key, model, region or probe to test it with. */
  | {
      readonly state: 'untestable';
      readonly reason: string;
      readonly gap: Gap;
      /** Restriction in the target file that leaves the check open, so that it makes no run partial. */
      readonly restriction?: Restriction;
    }
  /** 402, 429, 502–504, 529, a timeout, or a prerequisite that failed. Neither pass nor fail. */
  | {
      readonly state: 'inconclusive';
      readonly cause: Cause;
      readonly reason: string;
      readonly evidence: Evidence | null;
      /** Ids of the failed checks that explain it; absent if none does. */
      readonly behind?: readonly string[];
    }
  /** Filtered out by the user, or never reached. */
  | {
      readonly state: 'excluded';
      readonly reason: string;
      /** Set if another part of a split run judges it. */
      readonly elsewhere?: true;
      /** Only in reports up to revision 7 of the catalogue. It made no run partial. */
      readonly unclaimed?: true;
    }
  /** An internal error of Touchstone. */
  | { readonly state: 'error'; readonly reason: string };

/** True if the requirement was judged, so that its verdict can have points. */
export function isAtPoints(
  verdict: CheckVerdict,
): verdict is Extract<CheckVerdict, { readonly points?: Points }> {
  const { state } = verdict;
  return state === 'pass' || state === 'fail' || state === 'warn' || state === 'note';
}

export type CheckState = CheckVerdict['state'];

export const checkStates = [
  'pass',
  'fail',
  'warn',
  'note',
  'not-applicable',
  'untestable',
  'inconclusive',
  'excluded',
  'error',
] as const satisfies readonly CheckState[];

/** States in order of severity. The first of several verdicts on one check represents all. */
export const worstStates: readonly CheckState[] = [
  'fail',
  'error',
  'warn',
  'note',
  'pass',
  'inconclusive',
  'untestable',
  'not-applicable',
  'excluded',
];

/** States that indicate a defect of a gateway, or of Touchstone. */
export const redStates: ReadonlySet<CheckState> = new Set<CheckState>(['fail', 'warn', 'error']);

/** `known-failures`: conformant except for failures on a list of the user. */
export type RunVerdict =
  | 'conformant'
  | 'known-failures'
  | 'nonconformant'
  | 'indeterminate'
  | 'partial';

/** Input of a run's verdict: the level and the state of each check in the catalogue. */
export interface Judged {
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  readonly verdict: CheckVerdict;
  /** True if the check is known to fail, or undecided because of a known failure. */
  readonly isKnown?: boolean;
}

/**
 * Returns the verdict of a run. The worst wins: nonconformant, indeterminate, partial, known-failures, conformant.
 * A skip is never green: an excluded or untestable MUST makes a run partial, and a run without any judged check is
 * indeterminate.
 *
 * @param strict a broken SHOULD fails the run, too
 * @param unfinished true if part of the requested work is missing: the run is then at best indeterminate
 */
export function runVerdict(
  checks: Iterable<Judged>,
  { strict = false, unfinished = false } = {},
): RunVerdict {
  let judged = 0;
  let undecided = false;
  let missing = false;
  let broken = false;
  let known = false;
  for (const { level, verdict, isKnown = false } of checks) {
    switch (verdict.state) {
      case 'fail':
        if (isKnown) known = true;
        else broken = true;
        judged++;
        break;
      case 'warn':
        if (isKnown) known ||= binds(level, strict);
        else broken ||= strict;
        judged++;
        break;
      case 'pass':
      case 'note':
        judged++;
        break;
      case 'error':
        undecided = true;
        break;
      case 'inconclusive':
        if (isKnown) known ||= binds(level, strict);
        else undecided ||= binds(level, strict);
        break;
      case 'untestable':
      case 'excluded':
        missing ||= binds(level, strict) && !isOutside(verdict);
        break;
      case 'not-applicable':
        break;
    }
  }
  if (broken) return 'nonconformant';
  if (undecided || unfinished || judged === 0) return 'indeterminate';
  if (missing) return 'partial';
  return known ? 'known-failures' : 'conformant';
}

/** True if no verdict is expected: a restriction leaves the check open, or it is unclaimed. */
export function isOutside(verdict: CheckVerdict): boolean {
  return (
    (verdict.state === 'excluded' && verdict.unclaimed === true) || restrictionOf(verdict) !== null
  );
}

/** Returns the restriction that leaves a check open, or null. */
export function restrictionOf(verdict: CheckVerdict): Restriction | null {
  return 'restriction' in verdict ? (verdict.restriction ?? null) : null;
}

/** True if the verdict of a run depends on requirements of this level. */
export function binds(level: Judged['level'], strict: boolean): boolean {
  return level === 'MUST' || (strict && level === 'SHOULD');
}

export const exitCodes = {
  conformant: 0,
  nonconformant: 1,
  undecided: 2,
  usage: 3,
  unreachable: 4,
  broken: 5,
  unjudged: 6,
} as const;

export function exitCode(verdict: RunVerdict, { allowPartial = false } = {}): number {
  switch (verdict) {
    case 'conformant':
    case 'known-failures':
      return exitCodes.conformant;
    case 'nonconformant':
      return exitCodes.nonconformant;
    case 'indeterminate':
      return exitCodes.undecided;
    case 'partial':
      return allowPartial ? exitCodes.conformant : exitCodes.undecided;
  }
}

/**
 * Exit codes of single runs in order of importance. A broken MUST is never hidden by another target that is
 * unreachable: a pipeline may retry that, and must stop at this.
 */
const worstFirst: readonly number[] = [
  exitCodes.nonconformant,
  exitCodes.broken,
  exitCodes.usage,
  exitCodes.unreachable,
  exitCodes.unjudged,
  exitCodes.undecided,
  exitCodes.conformant,
];

/** Returns the exit code of several runs together; `undecided` if there are none. */
export function worstExitCode(codes: Iterable<number>): number {
  const given = new Set(codes);
  return worstFirst.find((code) => given.has(code)) ?? exitCodes.undecided;
}
