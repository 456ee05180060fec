/**
 * Every verdict that Touchstone can give, on a check and on a run. One union, here and nowhere else:
 * the exit code and every report are made from it.
 */

/** Locates the exchange that proves a finding in the recording. */
export interface Evidence {
  /** Key of the exchange, `<scenario>#<lane>/<ordinal>`. */
  readonly exchange: string;
  /** `POST /v1/responses`, without the base address. */
  readonly request: string;
  /** Operation of the request: `responses.lookup`. Left out if a client was judged. */
  readonly operation?: string;
  /**
   * Name of the key that the request showed, as the target file has it, or `none`, `unknown`. Left out
   * together with `operation`.
   */
  readonly key?: string;
  /** True if the request was answered natively: 2xx with its body, or a stream to its end. Left out with the operation. */
  readonly served?: boolean;
  /** `200`, `no answer (connection reset)` and the like. */
  readonly outcome: string;
  /** Description of the answer, with the beginning of its body or its last event; redacted. */
  readonly received: string;
  /** A command line that repeats the request, with `$TOUCHSTONE_KEY` in the key's place. */
  readonly curl: string;
}

/** Expected and actual behaviour, where a requirement does not hold. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly evidence: Evidence | null;
  /** For programs that look for what findings have in common. */
  readonly difference?: Difference;
  /**
   * Places in the answer where the finding shows: paths in its JSON body, `usage.total_tokens`, or events
   * of a stream, `events[3]`. A missing member has a place, too. Left out if the finding concerns the whole
   * answer.
   */
  readonly places?: readonly string[];
}

/** Kind of deviation of an answer from the expected one. */
export interface Difference {
  /**
   * As a whole, or in part:
   *
   * - `unserved`: it should have been served, and was not, or by something else than the native answer
   * - `unrefused`: it should have been refused, and was not
   * - `part`: in something that it says
   */
  readonly kind: 'unserved' | 'unrefused' | 'part';
  /** Actual behaviour, without the place where it was seen. */
  readonly actual: string;
}

/**
 * Machine-readable reasons why a check is undecided. Reports group by them, and advice depends on them. The
 * human-readable text is in `reason`.
 */
export const causes = [
  /** 429 and its like, a limit of connections too. */
  'rate-limit',
  /** 503, 529 and their like. */
  'overload',
  /** Ours, or one that the gateway told: 504. */
  'timeout',
  /** No connection, or a gateway before this one that has none: 502. */
  'unreachable',
  /** 402 and its like. */
  'no-credit',
  /**
   * The gateway locked the address or the key out after keys that were wrong on purpose, or bad input; or what
   * stands before it shows a block page.
   */
  'locked-out',
  /** A precondition of the check is missing. Another check judges that. */
  'prerequisite',
  /** The request that must be served for a refusal to count was not. */
  'control',
  /** The answer can be read in more than one way. */
  'ambiguous',
  /** Our own machine had no room: no further sockets, say. */
  'local-resources',
  /** The answer breaks no rule of HTTP or WebSocket, but our own library cannot read it. */
  'unread',
  /** More came than is read: bytes, frames, lines, values, or JSON that is nested deeper. The bound is ours. */
  'too-large',
  /** The user interrupted the run. */
  'interrupted',
  /** The time was over that the user gave the run. */
  'out-of-time',
  /** The part of a split run that judged it has no report. */
  'missing-report',
] as const;

export type Cause = (typeof causes)[number];

/**
 * True if a cause says nothing about what a gateway promises, because the same request may be served later.
 */
export function isTransient(cause: Cause): boolean {
  return cause !== 'prerequisite' && cause !== 'control' && cause !== 'ambiguous';
}

/** The causes that a user may accept beforehand; the others say that nobody chose what was left out. */
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
  /** Names of the keys, probes, protocols or capabilities, as target files write them, in a fixed order. */
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

/** The field of a target file, and of what a report says of its target, for each restriction. */
export const restrictionFields = {
  'single-region': 'singleRegion',
  'single-user': 'singleUser',
  'one-key-per-user': 'oneKeyPerUser',
  'no-permissions': 'noPermissions',
  'without-storage': 'withoutStorage',
  'without-probes': 'withoutProbes',
} as const satisfies Readonly<Record<Restriction, string>>;

/** The restrictions as fields, where each is said or not. */
export type RestrictionFlags = { readonly [Field in RestrictionField]?: boolean };
type RestrictionField = (typeof restrictionFields)[Restriction];

/** The fields of restrictions that are said. */
export type SaidFlags = { readonly [Field in RestrictionField]?: true };

/** Every restriction as a field. */
export function flagsIn(said: RestrictionFlags): RestrictionFlags {
  const fields = Object.values(restrictionFields);
  return Object.fromEntries(fields.map((field) => [field, said[field] ?? false]));
}

/** The restrictions that are said, in one order. */
export function restrictionsSaid(flags: RestrictionFlags): readonly Restriction[] {
  return restrictionNames.filter((name) => flags[restrictionFields[name]] === true);
}

/** The fields of these restrictions, each `true`. */
export function flagsOf(names: readonly Restriction[]): SaidFlags {
  return Object.fromEntries(names.map((name) => [restrictionFields[name], true]));
}

/** At how many points a requirement was judged: exchanges of a run, say, or acts of a covering design. */
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
  /** A MAY, with what was seen. */
  | ({ readonly state: 'note' } & Finding & AtPoints)
  /** Honestly not offered by the target. */
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
      /** The target file says that there is none: it is left open, by name, and makes no run partial. */
      readonly restriction?: Restriction;
    }
  /** 402, 429, 502–504, 529, a time-out, or a prerequisite that failed. Neither pass nor fail. */
  | {
      readonly state: 'inconclusive';
      readonly cause: Cause;
      readonly reason: string;
      readonly evidence: Evidence | null;
      /** Ids of the failed checks that explain it; left out where none does. */
      readonly behind?: readonly string[];
    }
  /** Filtered out by the user, or never reached. */
  | {
      readonly state: 'excluded';
      readonly reason: string;
      /** Another part of the run judges it, which was split. */
      readonly elsewhere?: true;
      /**
       * Only in reports up to revision 7 of the catalogue, in which a claim chose the checks. It made no
       * run partial.
       */
      readonly unclaimed?: true;
    }
  /** Touchstone's own fault. */
  | { readonly state: 'error'; readonly reason: string };

/** True if the requirement was judged, so that its verdict can count points. */
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

/** States in order of severity. The first of several verdicts on one check stands for all. */
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

/** States that hold something against a gateway, or against ourselves. */
export const redStates: ReadonlySet<CheckState> = new Set<CheckState>(['fail', 'warn', 'error']);

/** `known-failures`: conformant but for failures that a list of the user names. */
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
  /** The check fails, and is known to; or is undecided because of what is known to fail. */
  readonly isKnown?: boolean;
}

/**
 * The verdict of a run. Worst wins: nonconformant, indeterminate, partial, known-failures, conformant.
 * A skip is never green: what was excluded or untestable among the MUSTs makes a run partial, and a
 * run in which nothing was judged is indeterminate.
 *
 * @param strict a broken SHOULD fails the run too
 * @param unfinished not all was done that was asked for: nothing is green
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

/**
 * True if no verdict on a check is expected: a restriction leaves it open, or an older report did not claim
 * it.
 */
export function isOutside(verdict: CheckVerdict): boolean {
  return (
    (verdict.state === 'excluded' && verdict.unclaimed === true) || restrictionOf(verdict) !== null
  );
}

/** The restriction that leaves a check open; null: none does. */
export function restrictionOf(verdict: CheckVerdict): Restriction | null {
  return 'restriction' in verdict ? (verdict.restriction ?? null) : null;
}

/** True if the verdict of a run depends on requirements of this level. */
export function binds(level: Judged['level'], strict: boolean): boolean {
  return level === 'MUST' || (strict && level === 'SHOULD');
}

/** Exit codes of the command. */
export const exitCodes = {
  conformant: 0,
  nonconformant: 1,
  undecided: 2,
  usage: 3,
  unreachable: 4,
  broken: 5,
} as const;

/** The exit code that a run's verdict stands for. */
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
 * Exit codes of single runs, what says most about a gateway first. A broken MUST is never hidden by
 * another target that could not be reached: a pipeline may try that again, and must stop at this.
 */
const worstFirst: readonly number[] = [
  exitCodes.nonconformant,
  exitCodes.broken,
  exitCodes.usage,
  exitCodes.unreachable,
  exitCodes.undecided,
  exitCodes.conformant,
];

/** The exit code of several runs together; `undecided` when there are none. */
export function worstExitCode(codes: Iterable<number>): number {
  const given = new Set(codes);
  return worstFirst.find((code) => given.has(code)) ?? exitCodes.undecided;
}
