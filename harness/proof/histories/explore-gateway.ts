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

export interface Exploration {
  readonly gateway: Named;
  readonly seed: number;
  readonly histories: number;
  /** Maximum number of generations, including those for shortening. */
  readonly generations: number;
  readonly ms: number;
  /** True to continue after a find has been shortened. */
  readonly goesOn: boolean;
}

export interface ExploredGateway {
  readonly acts: number;
  readonly unknown: number;
  readonly histories: number;
  /** Finds, by the history that shows each first. */
  readonly finds: readonly FoundIn[];
}

export interface FoundIn {
  /** Number of the history that found it, from 1. */
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
    // The next history is drawn after the find has been shortened.
    if (found && drawn && !goesOn) end();
    // A violated recommendation is not a find.
    found ||= violations.some(({ level }) => level === 'MUST');
  };
  const described = isOfStored(gateway) ? ofStored(target) : target;
  const world = worldOf(described);
  try {
    const explored = await explore({
      ...{ target: described, seed, ...bounds, onPerformed },
      ...{ requests: Number.POSITIVE_INFINITY, signal: over.signal },
      // Sequential histories, because then the finds do not depend on the load of the machine.
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
 * Reduces a target to stored responses without lag, which most history faults concern. More models, other protocols
 * and the ledger would only take time.
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
