import { partInWords, printable, type RunResult, sideOf } from '../../core/index.ts';
import {
  type Change,
  type ChangeKind,
  changeKinds,
  difference,
  standingOf,
} from '../difference.ts';
import { counted, firstOf } from '../words.ts';

/** Reasons why a comparison of two runs is less conclusive. */
export const caveatCodes = [
  'same-run',
  'swapped',
  'target',
  'address',
  'suite',
  'catalogue',
  'filters',
  'shard',
  'interrupted',
  'observed',
  'claims',
  'thorough',
  'strict',
  'known-failures',
  'coverage',
] as const;

export interface Caveat {
  readonly code: (typeof caveatCodes)[number];
  /** The caveat as a sentence. */
  readonly text: string;
}

/** Run of a comparison, and the file of its report. */
export interface ComparedRun {
  readonly file: string;
  readonly result: RunResult;
}

export interface Comparison {
  readonly older: ComparedRun;
  readonly newer: ComparedRun;
  /** Empty if the gateway caused every change. */
  readonly caveats: readonly Caveat[];
  /** Changes, ordered by importance of their kind, then by the catalogue. */
  readonly changes: readonly Change[];
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** True if a check is broken, or fails and was not judged before. */
  readonly gotWorse: boolean;
}

/** Compares two runs, and lists what limits the comparison. */
export function compare(older: ComparedRun, newer: ComparedRun): Comparison {
  const { regressions, fixes, others } = difference(older.result, newer.result);
  const all = [...regressions, ...fixes, ...others];
  const changes = changeKinds.flatMap((kind) => all.filter((change) => change.kind === kind));
  const counts = Object.fromEntries(
    changeKinds.map((kind) => [kind, changes.filter((change) => change.kind === kind).length]),
  );
  return {
    older,
    newer,
    caveats: caveatsOf(older.result, newer.result, others),
    changes,
    counts: counts as Record<ChangeKind, number>,
    gotWorse: regressions.length > 0,
  };
}

/** Lists the differences between two runs that are not differences of the gateway. */
function caveatsOf(older: RunResult, newer: RunResult, others: readonly Change[]): Caveat[] {
  const found: (Caveat | null)[] = [
    caveat('same-run', older.runId === newer.runId, 'Both reports are of the same run.'),
    caveat(
      'swapped',
      Date.parse(older.startedAt) > Date.parse(newer.startedAt),
      'The first report is the newer one: are the two swapped?',
    ),
    targets(older, newer),
    caveat(
      'suite',
      older.suiteVersion !== newer.suiteVersion,
      `Touchstone ${older.suiteVersion} judged the older run, and ${newer.suiteVersion} the newer: a check may be judged in another way.`,
    ),
    catalogue(older, newer),
    caveat(
      'filters',
      filtersOf(older) !== filtersOf(newer),
      `The runs were asked for other checks: ${filtersOf(older)}, and then ${filtersOf(newer)}.`,
    ),
    caveat(
      'shard',
      partOf(older) !== partOf(newer),
      `A part of a run is compared: ${partOf(older)}, and then ${partOf(newer)}. \`touchstone merge\` joins parts.`,
    ),
    caveat(
      'interrupted',
      older.interrupted || newer.interrupted,
      `The ${which(older.interrupted, newer.interrupted)} interrupted: what it did not come to is not judged.`,
    ),
    caveat(
      'observed',
      older.observed !== newer.observed,
      `The ${which(older.observed !== undefined, newer.observed !== undefined)} observed: nothing was sent, and what nobody asked for is not judged.`,
    ),
    caveat(
      'claims',
      claimsOf(older) !== claimsOf(newer),
      `The gateways claim other profiles: ${claimsOf(older)}, and then ${claimsOf(newer)}.`,
    ),
    caveat(
      'thorough',
      older.target.thorough !== newer.target.thorough,
      `Only the ${older.target.thorough === true ? 'older' : 'newer'} run is thorough: the other tried fewer acts on stored responses.`,
    ),
    caveat(
      'strict',
      older.strict !== newer.strict,
      `Only the ${older.strict ? 'older' : 'newer'} run is strict: the verdicts count other checks.`,
    ),
    caveat(
      'known-failures',
      listOf(older) !== listOf(newer),
      'The runs have other lists of known failures: the verdicts leave out other checks.',
    ),
    coverage(others),
  ];
  return found.filter((one) => one !== null);
}

function caveat(code: Caveat['code'], holds: boolean, text: string): Caveat | null {
  return holds ? { code, text } : null;
}

/** `older run was`, `newer run was`, `runs were` */
function which(older: boolean, newer: boolean): string {
  return older && newer ? 'runs were' : `${older ? 'older' : 'newer'} run was`;
}

function targets(older: RunResult, newer: RunResult): Caveat | null {
  const [one, other] = [older.target, newer.target];
  if (one.name !== other.name) {
    const noun = sideOf(older) === 'client' ? 'clients' : 'gateways';
    return caveat('target', true, `These are two ${noun}: ${one.name}, and then ${other.name}.`);
  }
  const [before, after] = [addressesOf(older), addressesOf(newer)];
  return caveat('address', before !== after, `The address changed: ${before}, and then ${after}.`);
}

/** Addresses without the port on this machine, where a gateway uses another port each time. */
function addressesOf({ target }: RunResult): string {
  if (target.client !== undefined) return target.client.upstreamOf?.front ?? '';
  return target.regions
    .map(({ name, baseUrl }) => {
      const local = /^(https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/.exec(baseUrl);
      return `${name} ${local?.[1] ?? baseUrl}`;
    })
    .join(', ');
}

function catalogue(older: RunResult, newer: RunResult): Caveat | null {
  const gone = without(older, newer);
  const added = without(newer, older);
  const revisions = [older, newer].map(({ specification }) => specification.revision);
  const parts = [
    older.specification.sha256 === newer.specification.sha256
      ? ''
      : `other texts of the specification (revisions ${revisions.join(' and ')})`,
    gone.length === 0 ? '' : `${counted(gone.length, 'check')} only in the older run`,
    added.length === 0 ? '' : `${counted(added.length, 'check')} only in the newer run`,
  ].filter((part) => part !== '');
  return caveat('catalogue', parts.length > 0, `The catalogue differs: ${parts.join(', ')}.`);
}

function without(one: RunResult, other: RunResult) {
  const ids = new Set(other.checks.map(({ id }) => id));
  return one.checks.filter(({ id }) => !ids.has(id));
}

function claimsOf({ target: { claims } }: RunResult): string {
  if (claims === undefined || claims.profiles.length === 0) return 'none';
  return `${claims.profiles.join(', ')}${claims.stated ? ' alone' : ''}`;
}

function filtersOf({ filters }: RunResult): string {
  return filters.length === 0 ? 'everything' : filters.join(' ');
}

function partOf(result: RunResult): string {
  return partInWords(result) ?? 'a whole run';
}

function listOf({ knownFailures }: RunResult): string {
  return [...(knownFailures?.entries ?? [])].sort().join(' ');
}

/** Lists the checks that only one of the runs judged, and why the other did not: a budget, a filter, a missing key. */
function coverage(others: readonly Change[]): Caveat | null {
  const lost = others.filter(({ kind }) => kind === 'no-longer-judged');
  const gained = others.filter(({ kind }) => kind === 'newly-judged');
  const parts = [
    lost.length === 0
      ? ''
      : `${counted(lost.length, 'check')} only in the older run${because(lost)}`,
    gained.length === 0 ? '' : `${counted(gained.length, 'check')} only in the newer run`,
  ].filter((part) => part !== '');
  return caveat('coverage', parts.length > 0, `Not the same is judged: ${parts.join(', ')}.`);
}

/** The most common reason for an exclusion, with its count. Empty if nothing was excluded. */
function because(changes: readonly Change[]): string {
  const reasons = new Map<string, number>();
  for (const { to, why } of changes) {
    if (to === 'excluded') reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  const [most] = [...reasons].sort(([, one], [, other]) => other - one);
  return most === undefined ? '' : ` (${most[1]} excluded: ${printable(most[0])})`;
}

/** Changes that are reported together: of one requirement, with the same old and new states. */
export interface ChangeGroup {
  readonly requirement: string;
  readonly first: Change;
  readonly changes: readonly Change[];
}

/** The changes of a kind, by requirement. */
export function groupsOf({ changes }: Comparison, kind: ChangeKind): readonly ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.kind !== kind) continue;
    const key = `${change.check.requirement} ${change.from} ${change.to}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined
      ? []
      : [{ requirement: first.check.requirement, first, changes: own }];
  });
}

/** The changes of a kind by old and new state, for reports that only show their number. */
export function movesOf(
  { changes }: Comparison,
  kind: ChangeKind,
): readonly { readonly from: string; readonly to: string; readonly changes: readonly Change[] }[] {
  const own = changes.filter((change) => change.kind === kind);
  const moves = [...new Set(own.map(({ from, to }) => `${from} ${to}`))];
  return moves.map((move) => {
    const [from = '', to = ''] = move.split(' ');
    return { from, to, changes: own.filter((change) => change.from === from && change.to === to) };
  });
}

/** `a/b.c`, or with values: `a/b.c: x, y and 2 more` */
export function idsOfGroup({ requirement, first, changes }: ChangeGroup): string {
  if (changes.length === 1) return first.id;
  const values = changes.map(({ id }) => ({ id: id.slice(requirement.length + 1) }));
  return `${requirement}: ${firstOf(values, 6)}`;
}

/** True for a known failure: the newer run excuses it. */
export function isExcused({ id }: Change, { newer }: Comparison): boolean {
  return newer.result.knownFailures?.excused.includes(id) ?? false;
}

/** Number of checks that a run judged. */
export function judgedIn({ checks }: RunResult): number {
  return checks.filter(({ verdict }) => standingOf(verdict.state) !== 'not judged').length;
}
