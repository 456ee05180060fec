import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckDefinition } from '../core/requirement.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { type JudgedOn, type Scenario, scenariosIn } from './scenario.ts';
import type { TargetRun } from './session.ts';

/** A requirement that is bound to what it is judged on, and how. */
export interface Check {
  readonly id: string;
  readonly definition: CheckDefinition;
  readonly on: JudgedOn;
  /** It is judged on every exchange of a run; what it names is only sent so that there are some. */
  readonly everywhere?: true;
  /** Waits for what it is judged on at a target; then the verdict can be had. Never throws. */
  ready(run: TargetRun): Promise<() => CheckVerdict | Promise<CheckVerdict>>;
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
  scenariosIn(check.on).forEach(keep);
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
  return names.flatMap((name) => scenarios.get(name) ?? []);
}

/** The checks that come with loading something. */
export async function checksOf(load: () => Promise<unknown>): Promise<readonly Check[]> {
  const before = registered.length;
  await load();
  return registered.slice(before);
}

let suites: Promise<readonly Check[]> | undefined;

/** The checks of all suites. Their files are imported on the first call, in order of their names. */
export function suiteChecks(): Promise<readonly Check[]> {
  suites ??= checksOf(async () => {
    for (const file of checkFiles()) await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  return suites;
}

function checkFiles(): string[] {
  const folder = join(import.meta.dirname, '..', '..', 'suites');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.check\.[jt]s$/.test(path))
    .sort()
    .map((path) => join(folder, path));
}
