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

/** A requirement bound to scenarios. Plain data: `executor.ts` determines the verdict. */
interface Declared {
  readonly id: string;
  readonly definition: CheckDefinition;
  readonly on: JudgedOn;
  /** Scenarios that may decide what the others leave open. They run last. */
  readonly besides?: readonly Scenario[];
}

/** Judged on the captures of its scenarios, in each region if the requirement says so. */
export interface CaptureCheck extends Declared {
  /** Gets the captures of the scenarios in `on`. */
  readonly judge: Judgement<never>;
  /** Each scenario captures a list: a scenario that has nothing to judge does not affect the others. */
  readonly ofAny?: true;
  readonly everywhere?: undefined;
}

/** Judged on every exchange of a run. The scenarios in `on` only ensure that there are some. */
export interface EverywhereCheck extends Declared {
  readonly everywhere: Everywhere;
}

export type Check = CaptureCheck | EverywhereCheck;

/** Selection of the exchanges that a requirement applies to, whoever sent them, and their judgement. */
export interface JudgedExchanges {
  readonly which: (exchange: Exchange, run: WholeRun) => boolean;
  /** Judges exchanges as well that were interrupted, never answered, or failed transiently. */
  readonly partial?: boolean;
  /** Judges each turn of a WebSocket by itself. */
  readonly turns?: boolean;
  /**
   * Condition for judging exchanges of real clients, which no run has sent: `on the wire` requires that all bytes
   * on the wire are known; `never` means that the requirement depends on the requests of a run. Requirements that
   * need a probe are never judged there. Default: no condition.
   */
  readonly observed?: 'on the wire' | 'never';
  readonly judge: (exchange: Exchange, run: WholeRun) => unknown;
}

export interface Everywhere extends JudgedExchanges {
  /** Scenarios that run even if no other check is selected, so that there is something to judge. */
  readonly least: JudgedOn;
}

/** A region, and the scenarios that a check is judged on there. */
export interface Place {
  /** Null: the first region. */
  readonly region: string | null;
  readonly on: JudgedOn;
}

type RegionsOfTarget = Pick<Target, 'regions' | 'thorough'>;

/** Returns the first region, and each further one if the requirement or a thorough run is judged there. */
export function placesOf(
  { definition, on, everywhere }: Check,
  { regions, thorough }: RegionsOfTarget,
): readonly Place[] {
  // The exchanges of a run include those of every region.
  const isInEach = (thorough || definition.inEachRegion === true) && everywhere === undefined;
  const further = isInEach ? regions.slice(1).map(({ name }) => name) : [];
  return [
    { region: null, on },
    ...further.map((region) => ({ region, on: onInRegion(on, region) })),
  ];
}

/** Returns what a check is judged on at a target, one entry for each region. */
export function judgedOn(check: Check, target: RegionsOfTarget): readonly JudgedOn[] {
  return placesOf(check, target).map(({ on }) => on);
}

export function scenariosAt(check: Check, target: RegionsOfTarget): readonly Scenario[] {
  return [...new Set(judgedOn(check, target).flatMap(scenariosIn))];
}

type Listener = (check: Check) => void;

const registered: Check[] = [];
const scenarios = new Map<string, Scenario>();
let listener: Listener = () => {};

/**
 * Adds a check to the registry.
 *
 * @throws {Error} if two scenarios have one name, because their exchanges could not be distinguished
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

/** Calls a function for every check from now on, in place of the previous one. */
export function onCheck(told: Listener): void {
  listener = told;
}

/** Returns the registered scenarios with these names. Unknown names are ignored. */
export function scenariosCalled(names: readonly string[]): readonly Scenario[] {
  return names.flatMap((whole) => {
    const { region, ...id } = parseSender(whole);
    const found = scenarios.get(formatSender({ ...id, region: null }));
    if (found === undefined) return [];
    return region === null ? found : found.inRegion(region);
  });
}

export async function checksOf(load: () => Promise<unknown>): Promise<readonly Check[]> {
  const before = registered.length;
  await load();
  return registered.slice(before);
}

const suites = new Map<Side, Promise<readonly Check[]>>();

/** Returns the checks of all suites for one side. The first call imports their files. */
export function suiteChecks(side: Side = 'gateway'): Promise<readonly Check[]> {
  const known = suites.get(side);
  if (known !== undefined) return known;
  const loading = loaded(side);
  suites.set(side, loading);
  return loading;
}

async function loaded(side: Side): Promise<readonly Check[]> {
  const shared = side === 'both-sides' ? await suiteChecks('gateway') : [];
  const own = await checksOf(async () => {
    for (const file of checkFiles(side)) await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  return [...shared, ...own];
}

/** Returns the side of a check file, by its path below `suites/`. */
function sideOfFile(path: string): Side {
  if (/^client[\\/]/.test(path)) return 'client';
  return /^provider[\\/]/.test(path) ? 'both-sides' : 'gateway';
}

/** Returns the files to import: one module of the bundle, or the check files of a side. */
function checkFiles(side: Side): string[] {
  const all = codeFile(`suites/${side}`);
  if (existsSync(all)) return [all];
  const folder = codeFile('suites', '');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.check\.[jt]s$/.test(path))
    .filter((path) => sideOfFile(path) === side)
    .sort()
    .map((path) => join(folder, path));
}
