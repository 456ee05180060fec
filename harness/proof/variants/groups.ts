import { hash } from 'node:crypto';
import { withDefect } from '../../reference/index.ts';
import { together } from '../planting.ts';
import type { Variant } from './variant.ts';

/** Variants that one gateway has at most, so that few have to be judged again where one is blamed. */
const mostInGroup = 6;

/** The seam that most variants change, for answers of different kinds. */
const shared = 'encode.body';

/** Returns the groups of variants that change different seams. The seed draws who comes together. */
export function groupsOf(variants: readonly Variant[], seed: number): readonly Variant[][] {
  const drawn = ({ id }: Variant): string => hash('sha256', `${seed} ${id}`);
  const groups: { readonly all: Variant[]; readonly changed: Set<string> }[] = [];
  for (const variant of variants.toSorted((one, other) => drawn(one).localeCompare(drawn(other)))) {
    const seams = seamsOf(variant);
    let group = isAlone(variant)
      ? undefined
      : groups.find(
          ({ all, changed }) =>
            all.length < mostInGroup &&
            !all.some(isAlone) &&
            !seams.some((one) => changed.has(one)),
        );
    if (group === undefined) {
      group = { all: [], changed: new Set() };
      groups.push(group);
    }
    group.all.push(variant);
    for (const one of seams) if (one !== shared) group.changed.add(one);
  }
  return groups.map(({ all }) => all);
}

/** True for a variant that belongs to one region or to TLS. */
function isAlone({ regions, isSecure }: Variant): boolean {
  return regions !== undefined || isSecure === true;
}

/** Returns the seams that a variant replaces, as `room.name`. */
function seamsOf(variant: Variant): string[] {
  const sound = new Set(
    Object.values(withDefect(undefined)).flatMap((room) => Object.values(room)),
  );
  return Object.entries(withDefect(variant)).flatMap(([room, seams]) =>
    Object.entries(seams).flatMap(([name, value]) => (sound.has(value) ? [] : `${room}.${name}`)),
  );
}

export function combined(group: readonly Variant[]): Variant {
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) return only;
  return {
    id: group.map(({ id }) => id).join('+'),
    what: group.map(({ what }) => what).join(' '),
    override: together(...group.map(({ override }) => override)),
    silentAbout: group.flatMap(({ silentAbout = [] }) => silentAbout),
    warns: group.flatMap(({ warns = [] }) => warns),
  };
}
