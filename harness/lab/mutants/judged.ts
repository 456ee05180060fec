import { pathToFileURL } from 'node:url';
import { loadCatalogue, redStates } from '../../kernel/core/index.ts';
import { Traffic, verdictsOf } from '../../kernel/engine/index.ts';
import { describeReference } from '../../kernel/targets/index.ts';
import { liveRun } from '../../proof/index.ts';
import { instrumentedFile } from './instrumented.ts';

/**
 * Verdict on a mutant. `fails`: a MUST fails. `warns`: only a SHOULD does. `withholds`: neither, before
 * {@link mostTimeouts} answers did not come. `undecided`: none of these, and a MUST is not decided. `starts not`: the
 * gateway does not start. `silent`: nothing is noticed.
 */
type MutantOutcome = 'fails' | 'warns' | 'withholds' | 'undecided' | 'starts not' | 'silent';

export interface JudgedMutant {
  readonly outcome: MutantOutcome;
  /** The checks that noticed it, the first of them alone where a MUST fails. */
  readonly by: readonly string[];
  /** Ids of the mutants whose code was run, but for those that are run while loading. */
  readonly met: readonly string[];
}

/** State of Stryker’s switches. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { perTest: Record<string, Record<string, number>> };
}

/** Times that the code of a mutant may be run. One that makes a loop endless throws then. */
const mostHits = 5_000_000;

/** Answers that may be missing before a run is given up: without a mutant, each comes in milliseconds. */
const mostTimeouts = 8;

/** Milliseconds of waiting for an answer, and for a state. */
const waits = { timeoutMs: 5_000, patienceMs: 10_000, consistencyMs: 250 };

/** Judges the reference gateway with one mutant, or with none, by every check until a MUST fails. */
export async function judgeMutant(id: string | null): Promise<JudgedMutant> {
  const switches: Switches = Reflect.get(globalThis, '__stryker__') ?? {};
  Reflect.set(globalThis, '__stryker__', switches);
  const { startReference } = await import(pathToFileURL(instrumentedFile).href);
  const run = `${id}`;
  switches.currentTestId = run;
  switches.activeMutant = id ?? undefined;
  switches.hitCount = 0;
  switches.hitLimit = mostHits;
  const met = () => Object.keys(switches.mutantCoverage?.perTest[run] ?? {});
  let gateway: Awaited<ReturnType<typeof startReference>>;
  try {
    gateway = await startReference();
  } catch {
    return { outcome: 'starts not', by: [], met: met() };
  }
  const stop = new AbortController();
  const levels = new Map(loadCatalogue().checks.map(({ id: check, level }) => [check, level]));
  const by: Record<'fails' | 'warns' | 'undecided', string[]> = {
    fails: [],
    warns: [],
    undecided: [],
  };
  const target = describeReference(gateway, undefined);
  const limits = { ...target.limits, ...waits };
  let timeouts = 0;
  const traffic = new (class extends Traffic {
    override begin(): ReturnType<Traffic['begin']> {
      const end = super.begin();
      return (exchange, freed) => {
        if (exchange.failure?.kind === 'timeout' && ++timeouts >= mostTimeouts) stop.abort();
        end(exchange, freed);
      };
    }
  })();
  const live = await liveRun(
    { target: { ...target, limits }, selected: null },
    { seed: 1, signal: stop.signal, traffic },
  );
  try {
    await verdictsOf(live.run, live.checks, {
      onVerdict({ id: check }, { state }) {
        const isMust = levels.get(check) === 'MUST';
        if (stop.signal.aborted) return;
        if (redStates.has(state)) by[isMust ? 'fails' : 'warns'].push(check);
        else if (isMust && state === 'inconclusive') by.undecided.push(check);
        if (by.fails.length > 0) stop.abort();
      },
    });
  } finally {
    live.end();
    await gateway.close();
  }
  const noticed = (['fails', 'warns'] as const).find((one) => by[one].length > 0);
  if (noticed !== undefined) return { outcome: noticed, by: by[noticed], met: met() };
  if (timeouts >= mostTimeouts) return { outcome: 'withholds', by: [], met: met() };
  const outcome = by.undecided.length > 0 ? 'undecided' : 'silent';
  return { outcome, by: by.undecided, met: met() };
}
