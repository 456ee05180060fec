import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CheckDefinition,
  codeFile,
  type Exchange,
  formatSender,
  parseSender,
  type Side,
} from '../core/index.ts';
import type { Target } from '../targets/index.ts';
import type { Judgement } from './judge.ts';
import { type JudgedOn, onInRegion, type Scenario, scenariosIn } from './scenario.ts';
import type { WholeRun } from './whole-run.ts';

/** A requirement that is bound to what is sent for it. Plain data: `executor.ts` comes to the verdict. */
interface Declared {
  readonly id: string;
  readonly definition: CheckDefinition;
  readonly on: JudgedOn;
  /** Scenarios that may settle what the others leave open. They come last. */
  readonly besides?: readonly Scenario[];
}

/** Judged on what its scenarios captured, in each region where the requirement says so. */
export interface CaptureCheck extends Declared {
  /** Gets what the scenarios in `on` captured. */
  readonly judge: Judgement<never>;
  /** Each scenario captures a list: a scenario that has nothing to judge does not affect the others. */
  readonly ofAny?: true;
  readonly everywhere?: undefined;
}

/** Judged on every exchange of a run. The scenarios in `on` are only sent so that there are some. */
export interface EverywhereCheck extends Declared {
  readonly everywhere: Everywhere;
}

export type Check = CaptureCheck | EverywhereCheck;

export type EverywhereJudgement = (exchange: Exchange, run: WholeRun) => unknown;

/** To which exchanges a requirement applies, whoever sent them, and how each is judged. */
export interface JudgedExchanges {
  readonly which: (exchange: Exchange, run: WholeRun) => boolean;
  /** True if exchanges that were interrupted, never answered, or failed transiently are judged too. */
  readonly partial?: boolean;
  /** Each turn of a WebSocket is judged by itself. */
  readonly turns?: boolean;
  /**
   * Condition for judging exchanges of real clients, which no run has sent: only if all that was on the
   * wire is known, or never, because the requirement rests on what a run sends. What a probe shows is never
   * judged there. Default: by content.
   */
  readonly observed?: 'on the wire' | 'never';
  readonly judge: EverywhereJudgement;
}

export interface Everywhere extends JudgedExchanges {
  /** Scenarios that are sent even if no other check is selected, so that there is something to judge. */
  readonly least: JudgedOn;
}

/** A region, and what a check is judged on there. */
export interface Place {
  /** Null: the first. */
  readonly region: string | null;
  readonly on: JudgedOn;
}

/** Returns where a check is judged at a target, and on what: in the first region, and in each further one. */
export function placesOf(
  { definition, on, everywhere }: Check,
  { regions }: Pick<Target, 'regions'>,
): readonly Place[] {
  // Exchanges of every region are among those of a run.
  const isInEach = definition.inEachRegion === true && everywhere === undefined;
  const further = isInEach ? regions.slice(1).map(({ name }) => name) : [];
  return [
    { region: null, on },
    ...further.map((region) => ({ region, on: onInRegion(on, region) })),
  ];
}

/** Returns what a check is judged on at a target, one entry for each region. */
export function judgedOn(check: Check, target: Pick<Target, 'regions'>): readonly JudgedOn[] {
  return placesOf(check, target).map(({ on }) => on);
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
    const { region, ...id } = parseSender(whole);
    const found = scenarios.get(formatSender({ ...id, region: null }));
    if (found === undefined) return [];
    return region === null ? found : found.inRegion(region);
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

/** The bundle has one module for all checks of a side. Checks of clients have a folder of their own. */
function checkFiles(side: Side): string[] {
  const all = codeFile(`suites/${side}`);
  if (existsSync(all)) return [all];
  const folder = codeFile('suites', '');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.check\.[jt]s$/.test(path))
    .filter((path) => /^client[\\/]/.test(path) === (side === 'client'))
    .sort()
    .map((path) => join(folder, path));
}
