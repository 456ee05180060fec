import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { inject, test } from 'vitest';
import { packageRoot } from '../../kernel/core/index.ts';
import {
  checksOf,
  forgivingReplay,
  registeredChecks,
  type TargetRun,
  verdictsOf,
} from '../../kernel/engine/index.ts';
import { importersOf } from './importers.ts';
import { modestTargets } from './modest-targets.ts';
import { exchangesIn } from './transients.ts';
import { allTrials, type Baseline, captured, judged, type Trial, type Verdicts } from './trials.ts';

/**
 * Test that Stryker's runner (`proof-runner.mjs`) keeps open: it loads the suites once, and is then asked
 * about one mutant after the other. Loading them anew for each would take a hundred times as long.
 */

/** Variables that control Stryker's instrumented code. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** Results of the dry run for the runs after it, perhaps in another process. */
interface Before {
  readonly baseline: Baseline;
  /** Ids of the checks that were asked about. */
  readonly scope: readonly string[];
  /** Mutants that are reached while a scenario captures, and not by judgements alone. */
  readonly capturing: readonly string[];
  /** Duration of each trial. */
  readonly ms: Readonly<Record<string, number>>;
}

interface DryAsked {
  readonly kind: 'dry';
  /** Files with mutants; null: every one. */
  readonly files: readonly string[] | null;
}

interface MutantAsked {
  readonly kind: 'mutant';
  readonly mutant: string;
  /** Ids of the trials; null: every one that the file has to do with. */
  readonly trials: readonly string[] | null;
  readonly file: string;
  readonly hitLimit: number | null;
}

type Asked = DryAsked | MutantAsked | { readonly kind: 'end' };

declare module 'vitest' {
  interface ProvidedContext {
    touchstoneMutation: { readonly channel: string; readonly active: string | null };
  }
}

/** Trials that are under way at once when nobody asks which code each of them reaches. */
const window = 3;

const beforeFile = join(packageRoot, 'reports', 'mutation-before.json');

const order = inject('touchstoneMutation');
const global: { __stryker__?: Switch } = globalThis as object;
global.__stryker__ ??= {};
const stryker = global.__stryker__;
// A mutant of what is done while loading has to be there before the suites are.
stryker.activeMutant = order.active ?? undefined;

const suites = join(packageRoot, 'suites');
/** The ids of the checks that a file defines. */
const definedIn = new Map<string, readonly string[]>();
for (const file of readdirSync(suites, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!file.endsWith('.check.ts')) continue;
  const defined = await checksOf(
    () => import(/* @vite-ignore */ pathToFileURL(join(suites, file)).href),
  );
  definedIn.set(
    `suites/${file}`,
    defined.map(({ id }) => id),
  );
}
const modest = await modestTargets();
let trials = allTrials(modest);

/** Leaves checks alone that nobody asks about. */
function narrow(scope: readonly string[]): void {
  const ids = new Set(scope);
  trials = trials.flatMap((trial) => {
    const checks = trial.checks.filter(({ id }) => ids.has(id));
    if (checks.length === 0) return [];
    const judgedOnly = trial.once === true || trial.replayed !== undefined;
    return [judgedOnly || trial.gateway.kind === 'modest' ? { ...trial, checks } : trial];
  });
}

/** Captures without any mutant, by the id of the trial. */
const kept = new Map<string, TargetRun | null>();

test('asked about mutants', { timeout: 0 }, async () => {
  const channel = new BroadcastChannel(order.channel);
  await new Promise<void>((end) => {
    channel.onmessage = async ({ data }: { data: Asked }) => {
      if (data.kind === 'end') return end();
      try {
        channel.postMessage(data.kind === 'dry' ? await dryRun(data) : await mutantRun(data));
      } catch (error) {
        channel.postMessage({ kind: 'broken', reason: String((error as Error).stack) });
      }
    };
    channel.postMessage({ kind: 'ready' });
  });
  channel.close();
});

/**
 * Every trial that files have to do with, one after the other, so that it is known which code each
 * of them reaches, and whether while capturing or while judging.
 */
async function dryRun({ files }: DryAsked) {
  const tried = [];
  const baseline: Record<string, Record<string, string>> = {};
  const capturing = new Set<string>();
  const scope = files === null ? registeredChecks().map(({ id }) => id) : concerning(files);
  narrow(scope);
  for (const trial of trials) {
    const { id } = trial;
    stryker.currentTestId = id;
    const started = performance.now();
    const run = await captured(trial, new AbortController().signal);
    const { [id]: reached = {} } = stryker.mutantCoverage?.perTest ?? {};
    for (const mutant of Object.keys(reached)) capturing.add(mutant);
    kept.set(trial.id, run);
    const verdicts = await judged(trial, run);
    baseline[id] = Object.fromEntries(
      Object.entries(verdicts).map(([check, { state }]) => [check, state]),
    );
    const noticed = trial.objection(verdicts, baseline);
    tried.push({ id, noticed, ms: performance.now() - started });
  }
  stryker.currentTestId = undefined;
  const ms = Object.fromEntries(tried.map((one) => [one.id, one.ms]));
  const before: Before = { baseline, scope, capturing: [...capturing], ms };
  writeFileSync(beforeFile, JSON.stringify(before));
  return { kind: 'tried', tried, coverage: stryker.mutantCoverage };
}

/** Trials until the first notices the mutant. */
async function mutantRun({ mutant, trials: ids, file, hitLimit }: MutantAsked) {
  const before: Before = JSON.parse(readFileSync(beforeFile, 'utf8'));
  narrow(before.scope);
  const wanted = new Set(ids ?? trialsOf(concerning([file])));
  const chosen = trials.filter(({ id }) => wanted.has(id));
  stryker.hitCount = 0;
  stryker.hitLimit = hitLimit ?? undefined;
  const found =
    order.active === null
      ? await judgeAgain(mutant, chosen, before)
      : await captureAnew(mutant, chosen.filter(isQuick(before)), before);
  stryker.activeMutant = order.active ?? undefined;
  return { kind: 'asked', ...found, hitCount: stryker.hitCount };
}

interface Found {
  readonly tried: number;
  readonly by: { readonly id: string; readonly objection: string } | null;
}

/**
 * Judges with a mutant what was captured without it. A changed scenario runs again on the captured answers;
 * the gateway is only asked if the scenario sends something else.
 */
async function judgeAgain(
  mutant: string,
  chosen: readonly Trial[],
  before: Before,
): Promise<Found> {
  const scenariosToo = before.capturing.includes(mutant);
  const toAsk: Trial[] = [];
  const slower = (one: Trial, other: Trial) =>
    (before.ms[one.id] ?? 0) - (before.ms[other.id] ?? 0);
  for (const [index, trial] of chosen.entries()) {
    stryker.activeMutant = undefined;
    const known = kept.get(trial.id);
    const run = known === undefined ? await captured(trial, new AbortController().signal) : known;
    kept.set(trial.id, run);
    stryker.activeMutant = mutant;
    const again = scenariosToo ? await replayed(trial, run) : run;
    if (again === null) toAsk.push(trial);
    else {
      const objects = (verdicts: Verdicts) => trial.objection(verdicts, before.baseline);
      const objection = objects(
        await judged(trial, again, (verdicts) => objects(verdicts) !== null),
      );
      if (objection !== null) return { tried: index + 1, by: { id: trial.id, objection } };
    }
  }
  // The sound gateway is asked before the faulty ones, because it also refuses or serves what a mutant
  // requests wrongly.
  const quickest = toAsk
    .filter(isQuick(before))
    .sort((one, other) => Number(isSound(other)) - Number(isSound(one)) || slower(one, other))
    .slice(0, mostAsked);
  const asked = await captureAnew(mutant, quickest, before);
  return { ...asked, tried: chosen.length + asked.tried };
}

/** Runs changed scenarios on the captured answers. Returns null if they send something else. */
async function replayed(trial: Trial, run: TargetRun | null): Promise<TargetRun | null> {
  // Nothing is sent to a modest target, and transients are tried on replays.
  if (run === null || trial.replayed !== undefined) return run;
  const replay = forgivingReplay(run, await exchangesIn(run));
  await verdictsOf(replay, trial.checks);
  return replay.strays === 0 ? replay : null;
}

/** Milliseconds above which a trial is not repeated for each mutant. */
const longest = 3_000;

/** Number of trials per mutant that ask a gateway: a scenario with an axis has hundreds of similar ones. */
const mostAsked = 80;

const isSound = ({ gateway }: Trial): boolean => gateway.kind === 'sound';

function isQuick({ ms }: Before): (trial: Trial) => boolean {
  return ({ id, once, replayed }) =>
    once !== true && replayed === undefined && (ms[id] ?? 0) < longest;
}

/** A mutant that changes what is asked for: everything is asked again. */
async function captureAnew(
  mutant: string,
  chosen: readonly Trial[],
  { baseline }: Before,
): Promise<Found> {
  stryker.activeMutant = mutant;
  const noticed = new AbortController();
  let tried = 0;
  let by: Found['by'] = null;
  const queue = chosen.values();
  const tryOn = async (): Promise<void> => {
    for (const trial of queue) {
      tried++;
      const objection = await twice(trial, baseline, noticed.signal);
      if (noticed.signal.aborted) return;
      if (objection === null) continue;
      by = { id: trial.id, objection };
      noticed.abort();
    }
  };
  await Promise.all(Array.from({ length: window }, tryOn));
  return { tried, by };
}

/** On a busy machine something may come too late once: what counts is noticed twice. */
async function twice(
  trial: Trial,
  baseline: Baseline,
  signal: AbortSignal,
): Promise<string | null> {
  for (let time = 1; ; time++) {
    const verdicts = await judged(trial, await captured(trial, signal));
    const objection = trial.objection(verdicts, baseline);
    if (objection === null || time === 2) return objection;
  }
}

/** Ids of the checks that are defined by way of some files. */
function concerning(files: readonly string[]): readonly string[] {
  const importers = new Set(files.flatMap((file) => [...importersOf(file)]));
  return [...importers].flatMap((one) => definedIn.get(one) ?? []);
}

function trialsOf(checks: readonly string[]): readonly string[] {
  const ids = new Set(checks);
  return trials
    .filter((trial) => trial.checks.some((check) => ids.has(check.id)))
    .map(({ id }) => id);
}
