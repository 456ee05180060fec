import {
  access,
  type CreationMode,
  creationModes,
  type Expected,
  isIndirect,
  type Operation,
  operations,
  type RequestMode,
  requestModes,
} from './access.ts';
import { covering, tuplesOf } from './covering.ts';
import {
  type AskingKey,
  type Denial,
  keysOf,
  type Reason,
  reasonInWords,
  reasonSets,
} from './reasons.ts';

/** State when the response was tried or deleted; `aged`: a day before its retention ends. */
const triedStates = ['finished', 'running', 'cancelled', 'aged'] as const;
type TriedState = (typeof triedStates)[number];

/**
 * Contents of the request that makes a response: its output limit is hit, it offers tools, its input is a list. The
 * specification makes no act depend on them.
 */
const contents = ['plain', 'truncated', 'tools', 'items'] as const;
type Content = (typeof contents)[number];

export interface Cell {
  readonly reason: Reason;
  /** A further reason, on a later one of the `sides`, that denies the act, too. Null: `reason` is the only one. */
  readonly second: Denial | null;
  readonly key: AskingKey;
  /** Region that made the response, and region of the request. */
  readonly home: string;
  readonly through: string;
  readonly mode: CreationMode;
  readonly content: Content;
  readonly state: TriedState;
  readonly operation: Operation;
  readonly requestMode: RequestMode;
}

/** A response that acts are tried on, and its end. */
export interface SubjectPlan {
  readonly kind: 'stored' | 'unstored' | 'running';
  readonly mode: CreationMode;
  readonly content: Content;
  readonly home: string;
  readonly fate: 'deleted' | 'expired' | 'cancelled' | 'kept';
}

export interface World {
  readonly regions: readonly string[];
  /** True if responses can be aged. */
  readonly clock: boolean;
  /** True to cover every triple. Otherwise every pair, and further combinations near the text of the specification. */
  readonly thorough: boolean;
  /** Returns the reason why an act cannot be tried here, or null. */
  obstacle(cell: Cell): string | null;
}

export interface Design {
  readonly subjects: readonly SubjectPlan[];
  readonly cells: readonly Cell[];
  /** Returns the cells that are tried on a response. No cell is tried on several. */
  cellsOf(plan: SubjectPlan): readonly Cell[];
  readonly possible: number;
  /** Number of those that cannot be tried here, by reason. */
  readonly unreachable: ReadonlyMap<string, number>;
  /** Counts the combinations of `strength` values that are covered, and those that can be. */
  covered(strength: number): Coverage;
  /** Counts the pairs of reasons, each with operation, home and region asked, that are covered, and those that can be. */
  coveredReasons(): Coverage;
}

interface Coverage {
  readonly covered: number;
  readonly of: number;
}

export function expectedOf(cell: Cell): Expected {
  const { reason, home, through, mode, state, operation, requestMode } = cell;
  const keyless = hasReason(cell, 'no-key', 'unknown-key');
  const limited = hasReason(cell, 'restricted', 'under-another-model');
  const user = keyless ? null : hasReason(cell, 'other-user') ? 'another' : 'owner';
  return access(
    {
      user: 'owner',
      model: 'its own',
      region: home,
      mode,
      stored: reason !== 'unstored',
      state:
        reason === 'deleted' || reason === 'expired'
          ? reason
          : state === 'aged'
            ? 'finished'
            : state,
    },
    {
      actor: { user, models: limited ? ['another'] : ['its own', 'another'] },
      region: through,
      operation,
      requestMode,
      ...(hasReason(cell, 'under-another-model') ? { model: 'another' } : {}),
    },
  );
}

/** True if one of these reasons denies the act. */
export function hasReason({ reason, second }: Cell, ...these: readonly Reason[]): boolean {
  return these.includes(reason) || (second !== null && these.includes(second));
}

/** Returns the acts to try and the responses to try them on. */
export function designOf(world: World): Design {
  const subjects = subjectsIn(world);
  const decided = possibleCells(world.regions);
  const unreachable = new Map<string, number>();
  const reachable = decided.filter((cell) => {
    const why = subjects.some((subject) => isOn(subject, cell))
      ? (whyTooCostly(cell, world) ?? world.obstacle(cell))
      : whyNoSubject(cell, world);
    if (why !== null) unreachable.set(why, (unreachable.get(why) ?? 0) + 1);
    return why === null;
  });
  const given = givenCells(subjects, world);
  const free = reachable.filter((cell) => !isCostly(cell));
  const first = covering(free, inTriples, given);
  const costly = covering(reachable.filter(isCostly), (cell) => inFew(cell, world), [
    ...given,
    ...first,
  ]);
  const cells = [...given, ...first, ...costly];
  const coverage = (words: (cell: Cell) => readonly string[]): Coverage => {
    const size = (some: readonly Cell[]): number => new Set(some.flatMap(words)).size;
    return { covered: size(cells), of: size([...reachable, ...given]) };
  };
  return {
    ...{ subjects, cells, possible: decided.length, unreachable },
    cellsOf: bySubject(cells, subjects),
    covered: (strength) => coverage((cell) => combinationsOf(cell, strength)),
    coveredReasons: () => coverage((cell) => (cell.second === null ? [] : [inPlace(cell)])),
  };
}

function inPlace(cell: Cell): string {
  return `${reasonsOf(cell)} ${cell.operation} ${cell.home}>${cell.through}`;
}

/** Returns the design with only these cells, their controls, and the responses that they need. */
export function narrowed(design: Design, names: ReadonlySet<string>): Design {
  const { subjects, cells } = design;
  const subjectOf = (cell: Cell) => subjects.find((subject) => isOn(subject, cell));
  const wanted = cells.filter((cell) => names.has(inWords(cell)));
  const controls = cells.filter(
    (cell) =>
      cell.reason === 'none' &&
      wanted.some((one) => one.home === cell.home && wayOf(one) === wayOf(cell)),
  );
  const tried = new Set([...wanted, ...controls]);
  const needed = new Set([...tried].map(subjectOf));
  // Continuations continue a response that was made in one body.
  const parents = subjects.filter(
    ({ kind, mode, home }) =>
      kind === 'stored' &&
      mode === 'one-body' &&
      [...needed].some((one) => one?.mode === 'continuation' && one.home === home),
  );
  const kept = subjects.filter((one) => needed.has(one) || parents.includes(one));
  const isGiven = (cell: Cell): boolean => {
    const subject = subjectOf(cell);
    if (!isGranted(cell) || subject === undefined || !kept.includes(subject)) return false;
    return changes(cell) || (cell.operation === 'continue' && parents.includes(subject));
  };
  const some = cells.filter((one) => tried.has(one) || isGiven(one));
  return { ...design, subjects: kept, cells: some, cellsOf: bySubject(some, kept) };
}

function bySubject(cells: readonly Cell[], subjects: readonly SubjectPlan[]): Design['cellsOf'] {
  let known: Map<SubjectPlan | undefined, Cell[]> | null = null;
  return (plan) => {
    if (known === null) {
      known = new Map(subjects.map((one) => [one, []]));
      for (const cell of cells) known.get(subjects.find((one) => isOn(one, cell)))?.push(cell);
    }
    return known.get(plan) ?? [];
  };
}

/** True if a cell is tried on this response. */
function isOn({ kind, mode, home, fate }: SubjectPlan, cell: Cell): boolean {
  if (cell.mode !== mode || cell.home !== home) return false;
  if ((cell.reason === 'unstored') !== (kind === 'unstored')) return false;
  if (isRun(cell) !== (kind === 'running')) return false;
  if (cell.state === 'cancelled') return fate === 'cancelled';
  if (cell.state === 'aged') return fate === 'expired';
  if (isGranted(cell) && changes(cell)) {
    return fate === (cell.operation === 'cancel' ? 'cancelled' : 'deleted');
  }
  const isGone = cell.reason === 'deleted' || cell.reason === 'expired';
  return !isGone || fate === cell.reason;
}

function reasonsOf({ reason, second }: Cell): string {
  return second === null ? reason : `${reason}+${second}`;
}

/** Returns the operation of a cell with the form of its request. */
export function wayOf({ operation, requestMode }: Cell): string {
  return requestModes[operation].length === 1 ? operation : `${operation}/${requestMode}`;
}

/**
 * Returns a response for each mode in each region, so that every pair of them occurs. Their ends alternate; with
 * one region, each mode has one response for each end.
 */
function subjectsIn({ regions, clock, thorough }: World): SubjectPlan[] {
  const ends = clock ? (['deleted', 'expired'] as const) : (['deleted'] as const);
  const both = thorough || regions.length === 1;
  return creationModes.flatMap((mode, m) => {
    const isBackground = inBackground(mode);
    return regions.flatMap((home, h): SubjectPlan[] => {
      const content = contentOf(m, h);
      const stored = ends.filter((_, n) => both || n === (m + h) % ends.length);
      const stopped = (['cancelled', 'deleted'] as const).filter(
        // A further region has the open stream of a run that is deleted: the home region has scenarios of its own.
        (_, n) => both || n === (m + h + 1) % 2,
      );
      const unstored = !isBackground && (thorough || m % regions.length === h);
      return [
        ...stored.map((fate) => ({ kind: 'stored', mode, content, home, fate }) as const),
        ...(isBackground
          ? stopped.map(
              (fate) => ({ kind: 'running', mode, content: 'plain', home, fate }) as const,
            )
          : []),
        ...(unstored ? [{ kind: 'unstored', mode, content, home, fate: 'kept' } as const] : []),
      ];
    });
  });
}

/** Returns the content of what is made by a mode in a region. They take turns, so that each region has each. */
function contentOf(mode: number, region: number): Content {
  return contents[(mode + 2 * region) % contents.length] ?? 'plain';
}

/** True for an act on a response that was reached while it ran. */
function isRun({ state }: Pick<Cell, 'state'>): boolean {
  return state === 'running' || state === 'cancelled';
}

function whyNoSubject({ reason, state }: Cell, { clock }: World): string {
  return (reason === 'expired' || state === 'aged') && !clock
    ? 'there is no clock probe to age a response with'
    : 'another region has this kind of response (with `--thorough`: each)';
}

/**
 * Returns the reason why a served act that costs a generation is not tried, or null. Unless the run is thorough,
 * only plain forms are tried.
 */
function whyTooCostly(cell: Cell, { thorough }: World): string | null {
  const { key, state, operation, requestMode } = cell;
  const why = 'it would cost a generation (with `--thorough`: it is tried)';
  if (!thorough && requestMode === 'later-turn' && state === 'cancelled') return why;
  if (thorough || !isGranted(cell) || !continues(cell)) return null;
  const isPlain = !['tool', 'later-turn'].includes(requestMode);
  const isPlainest = isPlain && (requestMode === 'body' || operation === 'continue-websocket');
  const isAged = state === 'aged';
  if (isAged ? key === 'owner' && requestMode === 'body' : key === 'owner' ? isPlain : isPlainest) {
    return null;
  }
  return why;
}

/** Returns every cell with an expected or recommended outcome. */
function possibleCells(regions: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  for (const [reason, second = null] of reasonSets) {
    for (const [h, home] of regions.entries()) {
      for (const through of regions) {
        for (const [m, mode] of creationModes.entries()) {
          for (const state of triedStates) {
            const content = isRun({ state }) ? 'plain' : contentOf(m, h);
            for (const operation of operations) {
              for (const requestMode of requestModes[operation]) {
                for (const key of keysOf[second === 'other-region' ? reason : (second ?? reason)]) {
                  const at = { home, through, mode, content, state, operation, requestMode };
                  const cell = { reason, second, key, ...at };
                  if (isPossible(cell)) cells.push(cell);
                }
              }
            }
          }
        }
      }
    }
  }
  return cells;
}

function isPossible(cell: Cell): boolean {
  const { reason, second, home, through, mode, state, operation, requestMode } = cell;
  if (hasReason(cell, 'other-region') !== (through !== home)) return false;
  if (state === 'aged' && !(isGranted(cell) && isKept(cell))) return false;
  if (isRun(cell)) {
    if (!inBackground(mode) || reason === 'unstored' || reason === 'expired') return false;
    if (reason === 'deleted' && state === 'cancelled') return false;
    // A good turn takes too long during a run, and a running response has no items and little to read.
    if (operation === 'item-reference') return false;
    if (requestMode === 'later-turn' && state === 'running') return false;
    if (state === 'running' && reason !== 'deleted' && isIndirect(operation)) return false;
  }
  if (reason === 'unstored' && inBackground(mode)) return false;
  // Nobody can cancel a response that did not run in the background.
  if (operation === 'cancel' && !inBackground(mode) && reason !== 'unstored') return false;
  const { outcome, recommended } = expectedOf(cell);
  if (outcome === 'either' && recommended === null) return false;
  if (second !== null) {
    // Two reasons are tried where they cost nothing. What is deleted or unstored shows nothing, whatever the status.
    const isEmpty = reason === 'deleted' || reason === 'unstored';
    if (isCostly(cell) || (outcome === 'either' && !isEmpty)) return false;
  }
  // An act that ends a response is tried once on each of them: see `givenCells`.
  if (isGranted(cell)) return outcome === 'served' && !changes(cell);
  if (hasReason(cell, 'under-another-model')) return continues(cell);
  if (hasReason(cell, 'no-key', 'unknown-key')) {
    // Without a good key there is no good turn. Indirect access without one has separate rows.
    return requestMode !== 'later-turn' && !isIndirect(operation);
  }
  return true;
}

/** Returns the cells that are tried in any case: the making and the end of each response. */
function givenCells(subjects: readonly SubjectPlan[], world: World): Cell[] {
  const ended = { cancelled: 0, deleted: 0 };
  return subjects.flatMap(({ kind, mode, content, home, fate }): Cell[] => {
    const by = { reason: 'none', second: null, key: 'owner', home, through: home } as const;
    const own = { ...by, mode, content } as const;
    const makesIt = mode === 'continuation' && kind === 'stored';
    const h = world.regions.indexOf(home);
    const first = {
      ...own,
      mode: 'one-body',
      content: contentOf(0, h),
      state: 'finished',
    } as const;
    const made: Cell[] = makesIt ? [{ ...first, operation: 'continue', requestMode: 'body' }] : [];
    if (fate !== 'cancelled' && fate !== 'deleted') return made;
    const operation = fate === 'cancelled' ? 'cancel' : 'delete';
    const state = kind === 'running' ? 'running' : 'finished';
    const end = { ...own, state, operation, requestMode: 'path' } as const;
    const bySecond: Cell = { ...end, reason: 'second-key', key: 'sameUser' };
    // Keys alternate, so that each region has both.
    const n = ended[fate]++ % 4;
    const isSecond = (n === 1 || n === 2) && world.obstacle(bySecond) === null;
    return [...made, isSecond ? bySecond : end];
  });
}

/** Returns the combinations of so many values of a cell. A second reason is one of them. */
function combinationsOf(cell: Cell, strength: number): string[] {
  const { second, key, home, through, mode, state } = cell;
  const asked = through === home ? '' : through;
  const where = { key, home, through: asked, mode, state, way: wayOf(cell) };
  return tuplesOf({ reason: reasonsOf(cell), ...where }, second === null ? strength : strength - 1);
}

/**
 * Returns the tuples of acts that cost nothing: every triple of values, and combinations that a gateway is likely to
 * decide in one place. These are each operation for each set of reasons in each region, and each response as its
 * owner reads it in the plain form.
 */
function inTriples(cell: Cell): string[] {
  const { reason, home, mode, content, state, operation, requestMode } = cell;
  return [
    ...combinationsOf(cell, 3),
    ...(cell.second === null ? [`${reason} ${operation} ${content}`] : []),
    ...(reason === 'none' ? [`${wayOf(cell)} ${content} ${state}`] : []),
    // A running response is a separate case, because the run may end too soon.
    ...(state === 'running' ? [] : [inPlace(cell)]),
    ...(reason === 'none' && requestMode === 'path' ? [`read ${operation} ${mode} ${home}`] : []),
  ];
}

/**
 * Returns the tuples of acts that cost generations: pairs, and one of each creation mode. A thorough run adds triples
 * with the reason and the form of the request, because triples without both are tried in other forms.
 */
function inFew(cell: Cell, { thorough }: World): string[] {
  const { reason, key, home, mode, content, state, operation } = cell;
  const isPlain = reason === 'none' && state !== 'aged';
  return [
    ...combinationsOf(cell, 2),
    ...(isPlain ? [mode, home, content].map((one) => `${reason} ${operation} ${one}`) : []),
    ...(thorough ? [key, home, mode, state].map((one) => `${reason} ${wayOf(cell)} ${one}`) : []),
  ];
}

/** True if a conforming gateway generates for the act, or may. */
function isCostly(cell: Cell): boolean {
  if (['compact', 'item-reference'].includes(cell.operation)) return true;
  return cell.requestMode === 'later-turn' || (isGranted(cell) && continues(cell));
}

/** True if no reason denies the act, so that it is served. */
export function isGranted({ reason }: Cell): boolean {
  return reason === 'none' || reason === 'second-key';
}

function inBackground(mode: CreationMode): boolean {
  return mode === 'background' || mode === 'background-stream';
}

function changes({ operation }: Cell): boolean {
  return operation === 'cancel' || operation === 'delete';
}

function continues({ operation }: Cell): boolean {
  return operation === 'continue' || operation === 'continue-websocket';
}

/**
 * True for acts that need the response itself until its retention ends. The specification does not say how long its
 * events are kept.
 */
function isKept(cell: Cell): boolean {
  return ['lookup', 'input-items'].includes(cell.operation) || continues(cell);
}

const contentInWords: Readonly<Record<Content, string>> = {
  plain: '',
  truncated: ' up to its limit',
  tools: ' with tools',
  items: ' of a list of items',
};

/** Returns the position of a cell in words: the form of the request, the reason and the response. */
export function inWords(cell: Cell): string {
  const { reason, second, key, home, through, mode, content, state } = cell;
  const region = through === home ? home : `${home}, asked in ${through}`;
  const stood = state === 'finished' ? '' : `, ${state}`;
  const bySecond = reason !== 'second-key' && key === 'sameUser' ? ' by a second key' : '';
  const why = [reason, ...(second === null ? [] : [second])].map((one) => reasonInWords[one]);
  return `${wayOf(cell)} ${why.join(', ')}${bySecond}: made by ${mode}${contentInWords[content]} in ${region}${stood}`;
}
