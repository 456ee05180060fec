import { counted } from '../../kernel/report/index.ts';
import type { ExploredGateway } from '../histories/explore-gateway.ts';
import type { HistoryFault } from '../histories/index.ts';
import type { Named } from '../subject.ts';

interface ExploringOptions {
  readonly seed: number;
  readonly seeds?: number;
  readonly jobs?: number | undefined;
  readonly fixed?: boolean;
  readonly update?: boolean;
  readonly acts?: number;
}

/** Signal and progress callback of a proof. */
export interface Circumstances {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Prints the result of a part of the proof, which a later part takes long to follow. */
  readonly tell: (text: string) => void;
}

export interface Proven {
  readonly printed: string;
  readonly holds: boolean;
}

const usualSeeds = 3;

/** Explores gateways with a fault that only a history shows. */
export async function proveExplored(
  chosen: readonly HistoryFault[],
  { seed, seeds = usualSeeds, jobs, fixed = false, update = false }: ExploringOptions,
  { signal, say }: Circumstances,
): Promise<Proven> {
  const { isExposed, proveHistories } = await import('../histories/prove-histories.ts');
  const { printExposed } = await import('../histories/print-histories.ts');
  const exposed = await proveHistories(chosen, {
    ...{ seeds: Array.from({ length: seeds }, (_, index) => seed + index), fixed, jobs, signal },
    onDone: (done, of) => say(`${done} of ${of} gateways explored`),
  });
  if (update && !signal.aborted) {
    const { writeFound } = await import('../histories/found.ts');
    writeFound(exposed);
  }
  return {
    printed: printExposed(exposed),
    holds: !signal.aborted && exposed.every(isExposed),
  };
}

/** Total number of acts on all valid gateways. */
const usualActs = 200_000;

/** Approximate number of acts in a history, rounded down. */
const actsOfHistory = 40;

/** Explores valid gateways, on which nothing may be found. */
export async function proveNothingFound(
  gateways: readonly (Named & { readonly id: string })[],
  { seed, jobs, acts = usualActs }: ExploringOptions,
  { signal, say }: Circumstances,
): Promise<Proven> {
  const { exploreAll } = await import('../histories/prove-histories.ts');
  const histories = Math.ceil(acts / gateways.length / actsOfHistory);
  let done = 0;
  let performed = 0;
  const explored = await exploreAll(
    gateways.map((gateway, index) => ({
      ...{ gateway, seed: seed + index, goesOn: true },
      ...{ histories, generations: 1_000_000, ms: 3_600_000 },
    })),
    {
      ...{ jobs, signal },
      onDone: (one) => {
        performed += one.acts;
        say(`${++done} of ${gateways.length} gateways explored, ${performed} acts`);
      },
    },
  );
  const lines = gateways.flatMap(({ kind, id }, index) => {
    const one = explored[index];
    const found = one?.finds ?? [];
    return found.map(
      (find) => `✗ ${kind} ${id}: ${find.clause}, ${find.kind}: ${find.actual}; ${find.shortest}`,
    );
  });
  const all = explored.filter((one): one is ExploredGateway => one !== undefined);
  const blamed = all.filter(({ finds }) => finds.length > 0).length;
  const unknown = all.reduce((sum, one) => sum + one.unknown, 0);
  return {
    printed: `${[
      ...lines,
      `${counted(all.length, 'right gateway')}, ${performed} acts, ${unknown} of them undecided: ${blamed} blamed.`,
    ].join('\n')}\n`,
    holds: all.length === gateways.length && blamed === 0,
  };
}
