import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckDefinition, CheckVerdict, Exchange, Side } from '../core/index.ts';
import type { ManyPoints } from '../judge/index.ts';
import type { Target } from '../targets/index.ts';
import { type JudgedOn, type Scenario, scenariosIn } from './scenario.ts';
import type { TargetRun } from './session.ts';
import type { WholeRun } from './whole-run.ts';

/** A requirement that is bound to what it is judged on, and how. */
export interface Check {
  readonly id: string;
  readonly definition: CheckDefinition;
  readonly on: JudgedOn;
  /**
   * Returns where a check is judged at a target, and on what there: in the first region, and in each
   * further one.
   */
  places(target: Pick<Target, 'regions'>): readonly Place[];
  /** Scenarios that may settle what the others leave open. They come last. */
  readonly besides?: readonly Scenario[];
  /** Judgement on every exchange of a run. The scenarios in `on` are only sent so that there are some. */
  readonly everywhere?: Everywhere;
  /** Waits for what it is judged on at a target; then the verdict can be had. Never throws. */
  ready(run: TargetRun): Promise<() => CheckVerdict | Promise<CheckVerdict>>;
}

/** Judgement of a check on every exchange, whoever sent it. */
export interface Everywhere {
  /**
   * Knowledge that is needed to judge an exchange that no run has sent: what the client sent and got, or
   * also what was on the wire. `never`: the judgement rests on what a run sends, or on what a probe says.
   */
  readonly observed: 'by content' | 'on the wire' | 'never';
  /** Judges one exchange, and adds what that comes to. @throws what is an error of ours */
  judgeAt(exchange: Exchange, whole: WholeRun, points: ManyPoints): void;
}

/** A region, and what a check is judged on there. */
export interface Place {
  /** Null: the first. */
  readonly region: string | null;
  readonly on: JudgedOn;
}

/** Returns what a check is judged on at a target, one entry for each region. */
export function judgedOn(check: Check, target: Pick<Target, 'regions'>): readonly JudgedOn[] {
  return check.places(target).map(({ on }) => on);
}

/** The scenarios in that. */
export function scenariosAt(check: Check, target: Pick<Target, 'regions'>): readonly Scenario[] {
  return [...new Set(judgedOn(check, target).flatMap(scenariosIn))];
}

type Listener = (check: Check) => void;

const registered: Check[] = [];
const scenarios = new Map<string, Scenario>();
let listener: Listener = () => {};

/**
 * Keeps a check for whoever judges by it.
 *
 * @throws {Error} when two scenarios have one name: their exchanges could not be distinguished
 */
export function register(check: Check): void {
  [...scenariosIn(check.on), ...(check.besides ?? [])].forEach(keep);
  registered.push(check);
  listener(check);
}

function keep(scenario: Scenario): void {
  const known = scenarios.get(scenario.name);
  if (known !== undefined && known !== scenario) {
    throw new Error(`Two scenarios are called ${scenario.name}; each needs a name of its own`);
  }
  scenarios.set(scenario.name, scenario);
  for (const before of Object.values(scenario.after)) keep(before);
}

/** Tells of every check from now on, in the place of whoever was told before. */
export function onCheck(told: Listener): void {
  listener = told;
}

/** Every check so far, in the order in which they were written. */
export function registeredChecks(): readonly Check[] {
  return registered;
}

/** The scenarios with these names, of those that a check needs; an unknown name stands for none. */
export function scenariosCalled(names: readonly string[]): readonly Scenario[] {
  return names.flatMap((whole) => {
    const [name = '', ...region] = whole.split('@');
    const found = scenarios.get(name);
    if (found === undefined) return [];
    return region.length === 0 ? found : found.inRegion(region.join('@'));
  });
}

/** The checks that come with loading something. */
export async function checksOf(load: () => Promise<unknown>): Promise<readonly Check[]> {
  const before = registered.length;
  await load();
  return registered.slice(before);
}

const suites = new Map<Side, Promise<readonly Check[]>>();

/**
 * The checks of all suites that judge one side. Their files are imported on the first call, in order of their
 * names.
 */
export function suiteChecks(side: Side = 'gateway'): Promise<readonly Check[]> {
  const known = suites.get(side);
  if (known !== undefined) return known;
  const loading = checksOf(async () => {
    for (const file of checkFiles(side)) await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  suites.set(side, loading);
  return loading;
}

/** Checks of clients have a folder of their own. */
function checkFiles(side: Side): string[] {
  const folder = join(import.meta.dirname, '..', '..', '..', 'suites');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.check\.[jt]s$/.test(path))
    .filter((path) => /^client[\\/]/.test(path) === (side === 'client'))
    .sort()
    .map((path) => join(folder, path));
}
