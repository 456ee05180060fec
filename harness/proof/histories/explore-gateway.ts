import {
  actsOf,
  explore,
  generationsOf,
  type Performed,
  worldOf,
} from '../../features/explore/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { type Named, startSubject, withId } from '../subject.ts';
import { historyFaults } from './index.ts';
import { inShort, type Witness } from './witness.ts';

/** A gateway to explore. */
export interface Exploration {
  readonly gateway: Named;
  readonly seed: number;
  /** Histories that are drawn, at most. */
  readonly histories: number;
  /** Generations, at most, those for making a find short included. */
  readonly generations: number;
  readonly ms: number;
  /** True to continue after a find has been shortened. */
  readonly goesOn: boolean;
}

/** Result of exploring a gateway. */
export interface ExploredGateway {
  readonly acts: number;
  /** Acts of which nothing can be said. */
  readonly unknown: number;
  readonly histories: number;
  /** By the one that shows it first. */
  readonly finds: readonly FoundIn[];
}

export interface FoundIn {
  /** In which of the histories it was found, counted from one. */
  readonly history: number;
  /** Number of generations until then. */
  readonly generations: number;
  /** Number of acts of the shortest history that shows it. */
  readonly acts: number;
  /** Shortest history that shows it. */
  readonly shortest: Witness;
  readonly clause: string;
  readonly kind: string;
  readonly actual: string;
}

/** Starts a gateway in this process, and explores it. */
export async function exploreGateway(
  { gateway, seed, goesOn, ...bounds }: Exploration,
  signal: AbortSignal,
): Promise<ExploredGateway> {
  const { target, close } = await startSubject({ id: '', gateway, selected: null });
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  let asked = 0;
  let found = false;
  const askedUntil = new Map<number, number>();
  const onPerformed = ({ drawn, number, history, violations }: Performed): void => {
    asked += generationsOf(history);
    if (drawn) askedUntil.set(number, asked);
    // The next one is drawn when what was found has been made short.
    if (found && drawn && !goesOn) end();
    // A broken recommendation is not a find.
    found ||= violations.some(({ level }) => level === 'MUST');
  };
  const described = isOfStored(gateway) ? ofStored(target) : target;
  const world = worldOf(described);
  try {
    const explored = await explore({
      ...{ target: described, seed, ...bounds, onPerformed },
      ...{ requests: Number.POSITIVE_INFINITY, signal: over.signal },
      // One after another, what is found does not depend on how busy the machine is.
      atOnce: goesOn ? 8 : 1,
    });
    return {
      ...{ acts: explored.acts, unknown: explored.unknown, histories: explored.histories },
      finds: explored.finds
        .filter(({ violation }) => violation.level === 'MUST')
        .map(({ foundIn, history, violation: { clause, kind, actual } }) => ({
          ...{ history: foundIn, generations: askedUntil.get(foundIn) ?? asked },
          ...{ acts: actsOf(history).length, shortest: inShort(history, world) },
          ...{ clause, kind, actual },
        })),
    };
  } finally {
    signal.removeEventListener('abort', end);
    await close();
  }
}

function isOfStored(gateway: Named): boolean {
  return gateway.kind === 'history' && withId(historyFaults, gateway.id).settleMs === null;
}

/**
 * Most faults of histories are about stored responses, and lag behind nothing: more models, other protocols and the ledger
 * would only take long.
 */
function ofStored(target: Target): Target {
  const [model] = worldOf(target).models;
  return {
    ...target,
    models: target.models.flatMap((one) =>
      one.id === model?.id ? { ...one, protocols: ['responses'] } : [],
    ),
    limits: { ...target.limits, consistencyMs: 0 },
    probes: { ...target.probes, ledger: [] },
  };
}
