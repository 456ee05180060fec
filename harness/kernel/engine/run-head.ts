import {
  type Catalogue,
  loadCatalogue,
  type RestrictionFlags,
  type Side,
  suiteVersion,
} from '../core/index.ts';
import { runIdentity } from '../drawn/index.ts';
import type { Load, NewHeader, Selection } from '../recordings/index.ts';
import type { Target } from '../targets/index.ts';
import type { Check } from './registry.ts';
import { checksWith, selectedIds } from './selection.ts';

/** Data of a run that is known before anything is sent: its identity and its criteria. */
export interface RunHead {
  readonly catalogue: Catalogue;
  readonly seed: number;
  readonly runId: string;
  readonly challenge?: string | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** A broken SHOULD fails the run, too. */
  readonly strict: boolean;
  /** Id prefixes; empty: everything. */
  readonly filters: readonly string[];
  /** Part of the filtered checks that the run is narrowed to. */
  readonly only?: Selection | undefined;
  /** Load that was in flight during the run. Its exchanges are among the others. */
  readonly load?: Load | undefined;
  /** Ids of the checks to run; null: all. */
  readonly selected: ReadonlySet<string> | null;
  readonly checks: readonly Check[];
}

interface HeadOptions extends Partial<Pick<RunHead, 'filters' | 'only' | 'load' | 'challenge'>> {
  readonly strict?: boolean | undefined;
  readonly side: Side;
  readonly seed: number;
  readonly startedAt: string;
  /** Keeps the id of an earlier run. Default: a new id. */
  readonly runId?: string;
  /** Restrictions of the gateway that limit what it can show. @see Selected */
  readonly target?: RestrictionFlags;
}

/** @throws {UnknownRequirement} if a filter matches nothing */
export async function headOf(options: HeadOptions): Promise<RunHead> {
  const { side, startedAt, challenge, strict = false, filters = [], only, load } = options;
  const catalogue = loadCatalogue(side);
  const selected = selectedIds(catalogue, options);
  return {
    ...(options.runId === undefined
      ? runIdentity(options.seed, challenge, startedAt)
      : { seed: options.seed, runId: options.runId }),
    catalogue,
    challenge,
    startedAt,
    strict,
    filters,
    only,
    load,
    selected,
    checks: await checksWith(selected, only, side),
  };
}

export function recordingHeader(head: RunHead, target: Target): NewHeader {
  const { catalogue, startedAt, seed, runId, challenge, strict, filters, only, load } = head;
  return {
    suiteVersion,
    catalogue: catalogue.digest,
    startedAt,
    seed,
    runId,
    strict,
    filters,
    ...(challenge === undefined ? {} : { challenge }),
    ...(only === undefined ? {} : { only }),
    ...(load === undefined ? {} : { load }),
    target,
  };
}
