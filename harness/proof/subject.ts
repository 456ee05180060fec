import type { Capability } from '../kernel/core/index.ts';
import {
  describeReference,
  type Model,
  referenceTarget,
  type StartedTarget,
} from '../kernel/targets/index.ts';
import type { Defect } from '../reference/index.ts';
import { startReference } from '../reference/index.ts';
import { type Fault, faults } from './faults/index.ts';
import { generatedFault } from './generated/index.ts';
import { type HistoryFault, historyFaults } from './histories/index.ts';
import { brokenTwins, type HonestGateway, honestGateways } from './honest/index.ts';
import { startHonest } from './honest/start.ts';
import type { OneOfMany } from './many.ts';
import { shapes } from './nodes/index.ts';
import { type NullTargetKind, startNullTarget } from './null-servers.ts';
import { combined } from './variants/groups.ts';
import { variants } from './variants/index.ts';

/** A gateway to judge, by name: processes exchange the names of gateways to start. */
export type Named =
  | { readonly kind: 'sound'; readonly latencyMs?: number }
  | {
      readonly kind: 'fault' | 'generated' | 'variant';
      readonly id: string;
      readonly latencyMs?: number;
    }
  | { readonly kind: 'honest'; readonly id: string }
  | { readonly kind: 'history'; readonly id: string }
  | { readonly kind: 'shape'; readonly id: string }
  | { readonly kind: 'null-target'; readonly id: NullTargetKind };

export interface Subject extends Omit<OneOfMany, 'target'> {
  /** Id of its verdicts. */
  readonly id: string;
  readonly gateway: Named;
  /** Number of concurrent requests. Default: 16. */
  readonly concurrency?: number;
  /** Names of the only cells of the covering design that are tried. Default: all. */
  readonly cells?: readonly string[];
}

/** Reference gateway without any defect, judged by every check. */
export const sound: Subject = {
  id: 'the sound reference gateway',
  gateway: { kind: 'sound' },
  selected: null,
};

/**
 * A gateway in this process answers in milliseconds: an answer that takes longer is one that the fault withholds
 * for good. On a busy machine, a run of some seconds may take five times as long.
 */
const waits = { timeoutMs: 25_000, patienceMs: 50_000 };

/** Most faults are permanent, so that waiting as long as for a real gateway would only take hours. */
const waitsForFault = { ...waits, consistencyMs: 250 };

/** The sound gateway withholds nothing: such a delay means that the machine is busy. */
const waitsForSound = { timeoutMs: 60_000, patienceMs: 60_000 };

/** Waits for lagging effects as long as the owner of the gateway declares. */
const waitsOf = ({ settleMs }: HistoryFault) =>
  settleMs === null ? waitsForFault : { ...waitsForFault, consistencyMs: settleMs };

const waitsFor = {
  sound: waitsForSound,
  fault: waitsForFault,
  generated: waitsForFault,
  variant: waits,
} as const;

export async function startSubject({
  gateway,
  cells,
}: Subject): Promise<Pick<StartedTarget, 'target' | 'close'>> {
  if (gateway.kind === 'null-target') return nullTarget(gateway.id);
  if (gateway.kind === 'honest')
    return startHonest(withId<HonestGateway>([...honestGateways, ...brokenTwins], gateway.id));
  if (gateway.kind === 'shape' || gateway.kind === 'history') {
    const fault = gateway.kind === 'history' ? withId(historyFaults, gateway.id) : null;
    const { target, close } = await (fault ?? withId(shapes, gateway.id)).start();
    const waiting = fault === null ? waitsForSound : waitsOf(fault);
    return { target: { ...target, limits: { ...target.limits, ...waiting } }, close };
  }
  const { latencyMs = 0 } = gateway;
  const defect = defectOf(gateway);
  const { target, close } = await referenceTarget({
    latencyMs,
    ...(defect === null ? {} : { defect }),
  });
  const limits = { ...target.limits, ...waitsFor[gateway.kind], ...defect?.limits };
  const models = target.models.map((model) => silentAbout(defect?.silentAbout ?? [], model));
  const only = cells === undefined ? {} : { onlyCells: new Set(cells) };
  return { target: { ...target, limits, models, ...only }, close };
}

/** Returns the model of a target file that does not mention these capabilities. */
function silentAbout(names: NonNullable<Planted['silentAbout']>, model: Model): Model {
  const said = (one: Capability): boolean => !names.some((name) => one.startsWith(`${name}:`));
  return { ...model, supports: model.supports.filter(said), lacks: model.lacks.filter(said) };
}

type Planted = Defect & Pick<Fault, 'silentAbout' | 'limits'>;

function defectOf(
  gateway: Exclude<Named, { kind: 'null-target' | 'honest' | 'history' | 'shape' }>,
): Planted | null {
  if (gateway.kind === 'sound') return null;
  const { kind, id } = gateway;
  if (kind === 'generated') return generatedFault(id);
  if (kind === 'fault') return withId<Planted>(faults, id);
  return combined(id.split('+').map((one) => withId(variants, one)));
}

export function withId<One extends { readonly id: string }>(all: readonly One[], id: string): One {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no gateway ${id}`);
  return found;
}

/** Starts the server, and describes it as offering everything, like the reference gateway. */
async function nullTarget(kind: NullTargetKind) {
  const reference = await startReference();
  const described = describeReference(reference, undefined);
  await reference.close();
  const { baseUrl, close } = await startNullTarget(kind);
  const target = {
    ...described,
    // One server in the role of two regions, as behind two host names.
    regions: described.regions.map(({ name }) => ({ name, baseUrl: `${baseUrl}/${name}` })),
    probes: {
      ledger: [`${baseUrl}/_touchstone/ledger`],
      clock: [`${baseUrl}/_touchstone/clock`],
    },
    // Short, for the kind that never answers. A late answer of another kind decides nothing, and earns nothing
    // either.
    limits: { ...described.limits, timeoutMs: 1_000, patienceMs: 300 },
  };
  return { target, close };
}
