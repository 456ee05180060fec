import { isObject } from './json-value.ts';
import { placeOf } from './place.ts';
import { declaredAs } from './protocol.ts';
import {
  type Restriction,
  type RestrictionFlags,
  restrictionFields,
  restrictionNames,
} from './verdict.ts';

export interface Profile {
  readonly name: string;
  readonly sentence: string;
  /** Protocols and capabilities, as target files write them, that at least one model must declare. */
  readonly needs: readonly string[];
  /** Rows that it leaves out, as `leavesOpen` names them: those that a restriction leaves open. */
  readonly except: readonly string[];
  /** Restrictions with which a gateway cannot claim the profile. */
  readonly refuses: readonly Restriction[];
}

/** A legitimate limitation of a gateway, which its target file states. */
export interface RestrictionEntry {
  readonly name: Restriction;
  /** The field of a target file that states it. */
  readonly field: keyof RestrictionFlags;
  readonly sentence: string;
  /** `storage/`: an id prefix; `:lookup`: a value of an axis, or one half of it. */
  readonly leavesOpen: readonly string[];
  /** True if all rows of `leavesOpen` are left open; false if only those that need what is missing. */
  readonly whole: boolean;
}

export interface Claimable {
  readonly profiles: readonly Profile[];
  readonly restrictions: readonly RestrictionEntry[];
}

/**
 * True if a check belongs to a profile. Each profile includes all checks without a protocol, and the checks of the
 * protocols that it needs. There is no list of rows, so none can be missing from it.
 */
export function isOf(id: string, { needs, except }: Pick<Profile, 'needs' | 'except'>): boolean {
  const { subject } = placeOf(id);
  const isGeneral = subject === 'other' || subject === 'models';
  return (isGeneral || needs.includes(declaredAs[subject])) && !isAmong(id, except);
}

/** True if `leavesOpen` of a restriction, or `except` of a profile, names a check. */
export function isAmong(id: string, rows: readonly string[]): boolean {
  const [, value = ''] = id.split(':');
  const values = [value, ...value.split('.')];
  return rows.some((row) =>
    row.startsWith(':') ? values.includes(row.slice(1)) : id.startsWith(row),
  );
}

export function profilesNamed(
  names: readonly string[],
  { profiles }: Pick<Claimable, 'profiles'>,
): readonly Profile[] {
  return profiles.filter(({ name }) => names.includes(name));
}

/**
 * Returns the profiles that a gateway with these protocols and capabilities can claim, without those that another
 * of them contains.
 *
 * @param offered as target files write them
 * @param restrictions that the target file states
 */
export function claimable(
  offered: ReadonlySet<string>,
  restrictions: readonly Restriction[],
  { profiles }: Pick<Claimable, 'profiles'>,
): readonly string[] {
  const able = profiles.filter(
    ({ needs, refuses }) =>
      needs.every((need) => offered.has(need)) &&
      !refuses.some((restriction) => restrictions.includes(restriction)),
  );
  const contains = (other: Profile, one: Profile): boolean =>
    other !== one && one.needs.every((need) => other.needs.includes(need));
  return able.filter((one) => !able.some((other) => contains(other, one))).map(({ name }) => name);
}

const fields = {
  profiles: ['name', 'sentence', 'needs', 'leavesOut', 'refuses'],
  restrictions: ['name', 'sentence', 'leavesOpen', 'whole'],
} as const;

/** Reads `fixtures/profiles.yaml`. @throws {Error} naming the invalid entry */
export function parseProfiles(value: unknown): Claimable {
  if (!isObject(value)) throw new Error('profiles.yaml: expected `profiles` and `restrictions`');
  const restrictions = readEntries(value, 'restrictions').map(({ named, list, isSaid }) => {
    const name = restrictionNamed(named.name);
    const field = restrictionFields[name];
    return { ...named, name, field, leavesOpen: list('leavesOpen'), whole: isSaid('whole') };
  });
  const profiles = readEntries(value, 'profiles').map(({ named, list }) => ({
    ...named,
    needs: list('needs'),
    except: list('leavesOut', [])
      .map(restrictionNamed)
      .flatMap((left) => restrictions.find(({ name }) => name === left)?.leavesOpen ?? []),
    refuses: list('refuses', []).map(restrictionNamed),
  }));
  return { profiles, restrictions };
}

function restrictionNamed(name: string): Restriction {
  const known = restrictionNames.find((one) => one === name);
  if (known !== undefined) return known;
  throw new Error(`profiles.yaml: no restriction is called "${name}" in verdict.ts`);
}

function readEntries(value: Readonly<Record<string, unknown>>, what: keyof typeof fields) {
  const entries = value[what];
  if (!Array.isArray(entries)) throw new Error(`profiles.yaml: "${what}" is no list`);
  const names = new Set<string>();
  return entries.map((entry: unknown, index) => {
    const where = `profiles.yaml, ${what}, entry ${index + 1}`;
    if (!isObject(entry)) throw new Error(`${where}: expected a map`);
    const unknown = Object.keys(entry).find((key) => !fields[what].some((field) => field === key));
    if (unknown !== undefined) throw new Error(`${where}: unknown field "${unknown}"`);
    const text = (field: string): string => {
      const given = entry[field];
      if (typeof given === 'string' && given.trim() !== '') return given.trim();
      throw new Error(`${where}: "${field}" is missing or not text`);
    };
    const list = (field: string, otherwise?: readonly string[]): readonly string[] => {
      const given = entry[field] ?? otherwise;
      if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return given;
      throw new Error(`${where}: "${field}" is missing or no list of texts`);
    };
    const isSaid = (field: string): boolean => {
      const given = entry[field] ?? false;
      if (typeof given === 'boolean') return given;
      throw new Error(`${where}: "${field}" is neither true nor false`);
    };
    const named = { name: text('name'), sentence: text('sentence') };
    if (names.has(named.name)) throw new Error(`${where}: "${named.name}" stands twice`);
    names.add(named.name);
    return { named, list, isSaid };
  });
}
