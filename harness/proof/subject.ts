import type { Defect } from '../reference/seams.ts';
import { referenceTarget, type StartedTarget } from '../target/reference.ts';
import { faults } from './faults/index.ts';
import { generatedFault } from './generated/index.ts';
import type { OneOfMany } from './many.ts';
import type { NullTargetKind } from './null-servers.ts';
import { nullTarget } from './null-target.ts';
import { variants } from './variants/index.ts';

/** A gateway to judge, by name: processes tell one another which to start. */
export type Named =
  | { readonly kind: 'sound'; readonly latencyMs?: number }
  | {
      readonly kind: 'fault' | 'generated' | 'variant';
      readonly id: string;
      readonly latencyMs?: number;
    }
  | { readonly kind: 'null-target'; readonly id: NullTargetKind };

/** Something to judge that is started for the purpose. */
export interface Subject extends Omit<OneOfMany, 'target'> {
  /** Its verdicts are found by this. */
  readonly id: string;
  readonly gateway: Named;
  /** Requests under way at once. Default: 16. */
  readonly concurrency?: number;
}

/** The reference gateway without any defect, judged by every check. */
export const sound: Subject = {
  id: 'the sound reference gateway',
  gateway: { kind: 'sound' },
  selected: null,
};

/**
 * A gateway in this process answers in milliseconds: what has not come by now is what its fault keeps
 * back, and does not come back. On a busy machine a run of some seconds may take five times as long.
 */
const waits = { timeoutMs: 25_000, patienceMs: 50_000 };

/** The sound one keeps nothing back: that nothing comes so long means that the machine is busy. */
const waitsForSound = { timeoutMs: 60_000, patienceMs: 60_000 };

/** Starts the gateway of a subject in this process. */
export async function startSubject({
  gateway,
}: Subject): Promise<Pick<StartedTarget, 'target' | 'close'>> {
  if (gateway.kind === 'null-target') return nullTarget(gateway.id);
  const { latencyMs = 0 } = gateway;
  const { target, close } = await referenceTarget({ latencyMs, ...defectOf(gateway) });
  const limits = { ...target.limits, ...(gateway.kind === 'sound' ? waitsForSound : waits) };
  return { target: { ...target, limits }, close };
}

function defectOf(gateway: Exclude<Named, { kind: 'null-target' }>) {
  if (gateway.kind === 'sound') return {};
  const { kind, id } = gateway;
  if (kind === 'generated') return { defect: generatedFault(id) };
  return { defect: withId(kind === 'fault' ? faults : variants, id) };
}

function withId(all: readonly Defect[], id: string): Defect {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no defect ${id}`);
  return found;
}
