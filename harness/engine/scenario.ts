import type { Target } from '../target/target.ts';
import type { Io } from './io.ts';
import type { Needs } from './needs.ts';

/**
 * A named flow of exchanges. It is run once in a run, however many checks judge it, and asserts
 * nothing. `Captured` is what it hands to the checks: exchanges, mostly.
 */
export interface Scenario<Captured = unknown> {
  readonly name: string;
  readonly needs: Needs;
  /** What it costs at a target, at most. */
  costAt(target: Target): Cost;
  /** What must have been captured before, by the name that it is handed over under. */
  readonly after: Readonly<Record<string, Scenario>>;
  /** What it makes lasts only for a while, as a response that runs does: see `ScenarioOptions`. */
  readonly perishable: boolean;
  /** Never called directly: `outcomeOf` runs it once. */
  capture(io: Io, after: Readonly<Record<string, unknown>>): Promise<Captured>;
}

/** At most; the plan and the limiter are made from it. */
export interface Cost {
  readonly requests: number;
  /** Requests that ask a model to generate. The user pays for them. */
  readonly generations: number;
  /**
   * Output tokens that each of them asks for, at most; null: one of them sets no limit. Default: the
   * `maxOutputTokens` of the target file.
   */
  readonly outputTokens?: number | null;
  /** Requests that wait for one another. Default: all. */
  readonly chain?: number;
}

export type After = Readonly<Record<string, Scenario>>;

/** What the prerequisites captured, under the same names. */
export type CapturedBy<A extends After> = {
  readonly [Name in keyof A]: A[Name] extends Scenario<infer Captured> ? Captured : never;
};

/** What a check is judged on: a scenario, or several by the names that its judgement uses for them. */
export type JudgedOn = Scenario | After;

/** What a judgement gets. */
export type CapturedOn<On extends JudgedOn> =
  On extends Scenario<infer Captured> ? Captured : On extends After ? CapturedBy<On> : never;

/** The scenarios that a check is judged on; those that must come before them are not among them. */
export function scenariosIn(on: JudgedOn): readonly Scenario[] {
  return isScenario(on) ? [on] : Object.values(on);
}

/** A record may have a scenario under any name, but never a function. */
export function isScenario(on: JudgedOn): on is Scenario {
  return typeof on.capture === 'function';
}

export interface ScenarioOptions<A extends After> {
  /** What the target has to offer. Added to what the prerequisites need. */
  readonly needs?: Needs;
  readonly after?: A;
  /**
   * What it makes lasts only for a while, as a response that runs does. It starts when all else is there
   * that whoever needs it waits for, and what is then asked for goes before what can wait.
   */
  readonly perishable?: boolean;
  /** A function where it depends on how much the target has. */
  readonly cost: Cost | ((target: Target) => Cost);
}

/**
 * Defines a scenario. Nothing is sent before a selected check asks for it.
 *
 * @param name unique in the suite, kebab case with slashes: `responses/stored`
 */
export function scenario<Captured, A extends After = Record<never, never>>(
  name: string,
  options: ScenarioOptions<A>,
  capture: (io: Io, after: CapturedBy<A>) => Promise<Captured>,
): Scenario<Captured> {
  const after: After = options.after ?? {};
  const { cost } = options;
  return {
    name,
    costAt: typeof cost === 'function' ? cost : () => cost,
    after,
    perishable: options.perishable ?? false,
    needs: inherit(Object.values(after), options.needs ?? {}),
    // The one cast: the memo hands over what these very scenarios captured, by these names.
    capture: capture as Scenario<Captured>['capture'],
  };
}

/** The needs of a scenario include those of its prerequisites; its own roles win. */
function inherit(prerequisites: readonly Scenario[], own: Needs): Needs {
  const all = [...prerequisites.map(({ needs }) => needs), own];
  const model = own.model ?? all.find((needs) => needs.model !== undefined)?.model;
  return {
    ...(model === undefined ? {} : { model }),
    models: Object.assign({}, ...all.map(({ models }) => models)),
    keys: union(all.map(({ keys }) => keys)),
    probes: union(all.map(({ probes }) => probes)),
    regions: Math.max(1, ...all.map(({ regions }) => regions ?? 1)),
  };
}

function union<T>(lists: readonly (readonly T[] | undefined)[]): T[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
