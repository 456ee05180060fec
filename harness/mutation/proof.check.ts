import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { inject, test } from 'vitest';
import { keptChecks } from '../check/many.ts';
import { packageRoot } from '../spec/package-root.ts';
import { importersOf } from './importers.ts';
import { modestTargets } from './modest-targets.ts';
import { allTrials, type Baseline, baselineNow, type Trial } from './trials.ts';

/**
 * What Stryker's runner (`proof-runner.mjs`) keeps open: it loads the suites once, and is then asked
 * about one mutant after the other. Loading them anew for each would take a hundred times as long.
 */

/** What Stryker's instrumented code goes by. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

interface MutantAsked {
  readonly kind: 'mutant';
  readonly mutant: string;
  /** Ids of the trials; null: every one that the file has to do with. */
  readonly trials: readonly string[] | null;
  readonly file: string;
  readonly hitLimit: number | null;
}

interface DryAsked {
  readonly kind: 'dry';
  /** Files with mutants; null: every one. */
  readonly files: readonly string[] | null;
}

type Asked = DryAsked | MutantAsked | { readonly kind: 'end' };

declare module 'vitest' {
  interface ProvidedContext {
    touchstoneMutation: { readonly channel: string; readonly active: string | null };
  }
}

/** Trials that are under way at once when nobody asks which code each of them reaches. */
const window = 3;

const baselineFile = join(packageRoot, 'reports', 'mutation-baseline.json');

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
  const before = keptChecks().length;
  await import(/* @vite-ignore */ pathToFileURL(join(suites, file)).href);
  const ids = keptChecks().slice(before);
  definedIn.set(
    `suites/${file}`,
    ids.map(({ id }) => id),
  );
}
const modest = await modestTargets();
const trials = allTrials(modest);

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

/** Every trial that files have to do with, one after the other, so that it is known which code each of them reaches. */
async function dryRun({ files }: DryAsked) {
  const baseline = await baselineNow(modest);
  writeFileSync(baselineFile, JSON.stringify(baseline));
  const tried = [];
  for (const { id, objection } of files === null ? trials : concerning(files)) {
    stryker.currentTestId = id;
    const started = performance.now();
    const noticed = await objection(baseline, new AbortController().signal);
    tried.push({ id, noticed, ms: performance.now() - started });
  }
  stryker.currentTestId = undefined;
  return { kind: 'tried', tried, coverage: stryker.mutantCoverage };
}

/** Trials until the first notices the mutant. */
async function mutantRun({ mutant, trials: ids, file, hitLimit }: MutantAsked) {
  const baseline: Baseline = JSON.parse(readFileSync(baselineFile, 'utf8'));
  const chosen = ids === null ? concerning([file]) : trials.filter(({ id }) => ids.includes(id));
  stryker.hitCount = 0;
  stryker.hitLimit = hitLimit ?? undefined;
  stryker.activeMutant = mutant;
  const noticed = new AbortController();
  let tried = 0;
  let by: { id: string; objection: string } | null = null;
  const queue = chosen.values();
  const tryOn = async (): Promise<void> => {
    for (const trial of queue) {
      tried++;
      const objection = await twice(trial, baseline, noticed.signal);
      if (noticed.signal.aborted) return;
      if (objection !== null) {
        by = { id: trial.id, objection };
        noticed.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: window }, tryOn));
  stryker.activeMutant = order.active ?? undefined;
  return { kind: 'asked', tried, by, hitCount: stryker.hitCount };
}

/** On a busy machine something may come too late once: what counts is noticed twice. */
async function twice(
  { objection }: Trial,
  baseline: Baseline,
  signal: AbortSignal,
): Promise<string | null> {
  for (let time = 1; ; time++) {
    const found = await objection(baseline, signal).catch((error) => String(error));
    if (found === null || time === 2) return found;
  }
}

/** The trials of the checks that are defined by way of some files. */
function concerning(files: readonly string[]): readonly Trial[] {
  const importers = files.flatMap((file) => [...importersOf(file)]);
  const ids = new Set(importers.flatMap((one) => definedIn.get(one) ?? []));
  return trials.filter(({ checks }) => checks.some(({ id }) => ids.has(id)));
}
