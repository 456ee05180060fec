import { type Capability, over, restrictionsSaid } from '../core/index.ts';
import {
  type Cell,
  type CreationMode,
  type Design,
  designOf,
  hasReason,
  narrowed,
} from '../model/index.ts';
import { actRequest, creations } from '../protocols/index.ts';
import { type Model, permittedKeys, type Target } from '../targets/index.ts';
import { perTarget } from './per-target.ts';

/** The covering design of the acts on stored responses at a target, with the models that they name. */
interface TargetDesign extends Design {
  /** Returns the model for responses of a creation mode, or null if no model can make them. */
  modelFor(mode: CreationMode): Model | null;
  /** True if a response is made where the target file has its model. The region may lack it all the same. */
  isMade(subject: Pick<Cell, 'mode' | 'home'>): boolean;
  /** Returns the model that an act names, and one for an ordinary turn by the same key. Null: no model allows it. */
  modelsOf(cell: Cell): ReturnType<typeof namedModels>;
}

const designs = new WeakMap<Target, TargetDesign>();

/** Designs by the values that they derive from: many targets of one process are alike. */
const alike = new Map<string, Design>();
const mostAlike = 8;

export function designAt(target: Target): TargetDesign {
  const known = designs.get(target);
  if (known !== undefined) return known;
  const whole = designLike(target);
  const design: TargetDesign = {
    ...(target.onlyCells === undefined ? whole : narrowed(whole, target.onlyCells)),
    modelFor: (mode) => modelFor(mode, target),
    isMade: ({ mode, home }) => {
      const model = modelFor(mode, target);
      return model !== null && isIn(model, home);
    },
    modelsOf: (cell) => namedModels(cell, target),
  };
  designs.set(target, design);
  return design;
}

function designLike(target: Target): Design {
  const world = {
    regions: target.regions.map(({ name }) => name),
    clock: target.probes.clock.length > 0,
    thorough: target.thorough,
  };
  // All values that an obstacle derives from.
  const { models, keys } = target;
  const which = JSON.stringify([
    world,
    models,
    restrictionsSaid(target),
    Object.entries(keys)
      .filter(([, key]) => key !== undefined)
      .map(([name]) => name)
      .sort(),
  ]);
  const design =
    alike.get(which) ?? designOf({ ...world, obstacle: (cell) => obstacleToCell(cell, target) });
  alike.delete(which);
  alike.set(which, design);
  for (const eldest of [...alike.keys()].slice(0, -mostAlike)) alike.delete(eldest);
  return design;
}

/** Capabilities that decide between two suitable models: the one with more of them allows more acts. */
const useful: readonly Capability[] = [
  'background',
  over('stream', 'responses'),
  'websocket',
  'compact',
  'input_tokens',
  'tools',
];

const modelFor = perTarget((mode: CreationMode, target): Model | null => {
  const worth = (model: Model): number => {
    const { otherUser, restricted } = target.keys;
    const forOther = otherUser === undefined || isPermitted(model, 'otherUser');
    const notForAll = restricted === undefined || !isPermitted(model, 'restricted');
    const able = useful.filter((one) => model.supports.includes(one)).length;
    return able + (forOther ? 10 : 0) + (notForAll ? 10 : 0);
  };
  const [best = null] = candidates(target, creations[mode].needs).sort(
    (one, other) => worth(other) - worth(one),
  );
  return best;
});

function candidates(target: Target, supports: readonly Capability[]): Model[] {
  return target.models.filter(
    (model) =>
      model.protocols.includes('responses') &&
      isPermitted(model, 'owner') &&
      supports.every((one) => model.supports.includes(one)),
  );
}

/** True unless the target file excludes the region. The region may lack the model all the same. */
export function isIn({ regions }: Model, region: string): boolean {
  return regions?.includes(region) ?? true;
}

type Permitted = ReturnType<typeof permittedKeys>[number];

function isPermitted(model: Model, key: Permitted): boolean {
  return permittedKeys(model).includes(key);
}

function namedModels(
  cell: Cell,
  target: Target,
): { readonly model: Model | null; readonly goodModel: Model | null } {
  const { needs, isIndirect } = actRequest(cell);
  const own = modelFor(cell.mode, target);
  const key = permissionOf(cell);
  const goodModel =
    [...(own === null ? [] : [own]), ...candidates(target, needs)].find(
      (model) => able(model, cell) && isPermitted(model, key),
    ) ?? null;
  if (own === null) return { model: null, goodModel };
  if (isIndirect || hasReason(cell, 'under-another-model')) return { model: goodModel, goodModel };
  return { model: able(own, cell) ? own : null, goodModel };
}

function able(model: Model, cell: Cell): boolean {
  return actRequest(cell).needs.every((one) => model.supports.includes(one));
}

function permissionOf({ key }: Cell): Permitted {
  return key === 'none' || key === 'unknown' ? 'owner' : key;
}

/** Returns the reason why an act cannot be tried at a target, or null. */
function obstacleToCell(cell: Cell, target: Target): string | null {
  const { mode, home } = cell;
  const own = modelFor(mode, target);
  if (own === null) return `no model makes responses by ${mode}`;
  if (!isIn(own, home)) return `${home} does not have the model`;
  const key = permissionOf(cell);
  if (target.keys[key] === undefined) return `the target file gives no \`keys.${key}\``;
  const limited = hasReason(cell, 'restricted', 'under-another-model');
  if (limited === isPermitted(own, key)) {
    return `\`keys.${key}\` ${limited ? 'may' : 'may not'} use the model of what is made by ${mode}`;
  }
  const { model, goodModel } = namedModels(cell, target);
  if (model === null) return `no model that fits does ${actRequest(cell).needs[0] ?? 'it'}`;
  if (cell.requestMode === 'later-turn' && goodModel === null) {
    return `\`keys.${key}\` has no model for a good turn`;
  }
  return null;
}
