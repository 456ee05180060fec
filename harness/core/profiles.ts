import { isObject } from './json-value.ts';
import { isAskedFor } from './place.ts';
import { type Restriction, restrictionNames } from './verdict.ts';

/** What a gateway can claim. */
export interface Profile {
  readonly name: string;
  readonly sentence: string;
  /** Protocols and capabilities, as target files write them, that some model must declare. */
  readonly needs: readonly string[];
  readonly rows: readonly string[];
  readonly except: readonly string[];
}

/** What an honest gateway may not be able to show, and says so. */
export interface RestrictionEntry {
  readonly name: Restriction;
  /** The field of a target file that says it. */
  readonly field: string;
  readonly sentence: string;
  /** The beginnings of the ids of rows among which it leaves some open. */
  readonly leavesOpen: readonly string[];
}

export interface Claimable {
  readonly profiles: readonly Profile[];
  readonly restrictions: readonly RestrictionEntry[];
}

/** Whether a check is one of those that a profile claims to hold. */
export function isOf(id: string, { rows, except }: Pick<Profile, 'rows' | 'except'>): boolean {
  return rows.some((row) => matches(id, row)) && !except.some((row) => matches(id, row));
}

/** `*`, `@messages`, `storage/`, or `:lookup`: a value of an axis, or one half of it. */
function matches(id: string, row: string): boolean {
  if (row === '*') return true;
  if (!row.startsWith(':')) return isAskedFor(id, row);
  const [, value = ''] = id.split(':');
  return value === row.slice(1) || value.split('.').includes(row.slice(1));
}

/** The profiles of these names. */
export function profilesNamed(
  names: readonly string[],
  { profiles }: Pick<Claimable, 'profiles'>,
): readonly Profile[] {
  return profiles.filter(({ name }) => names.includes(name));
}

/**
 * The profiles that somebody who offers these protocols and capabilities can claim; without those that another of
 * them contains.
 *
 * @param offered as target files write them
 * @param ids of all checks
 */
export function claimable(
  offered: ReadonlySet<string>,
  { profiles }: Pick<Claimable, 'profiles'>,
  ids: readonly string[],
): readonly string[] {
  const able = profiles.filter(({ needs }) => needs.every((need) => offered.has(need)));
  const larger = largerThan(profiles, ids);
  return able
    .filter((one) => !able.some((other) => larger.get(one)?.has(other)))
    .map(({ name }) => name);
}

type Larger = ReadonlyMap<Profile, ReadonlySet<Profile>>;
const larger = new WeakMap<readonly Profile[], Larger>();

/** The profiles that contain another; worked out once, for each run asks. */
function largerThan(profiles: readonly Profile[], ids: readonly string[]): Larger {
  const known = larger.get(profiles);
  if (known !== undefined) return known;
  const members = new Map(
    profiles.map((profile) => [profile, ids.filter((id) => isOf(id, profile))] as const),
  );
  const contains = (other: Profile, one: Profile): boolean =>
    other !== one && (members.get(one) ?? []).every((id) => isOf(id, other));
  const found = new Map(
    profiles.map((one) => [one, new Set(profiles.filter((other) => contains(other, one)))]),
  );
  larger.set(profiles, found);
  return found;
}

const fields = {
  profiles: ['name', 'sentence', 'needs', 'rows', 'except'],
  restrictions: ['name', 'field', 'sentence', 'leavesOpen'],
} as const;

/** Reads `fixtures/profiles.yaml`. @throws {Error} naming the entry that is wrong */
export function parseProfiles(value: unknown): Claimable {
  if (!isObject(value)) throw new Error('profiles.yaml: expected `profiles` and `restrictions`');
  const profiles = entriesOf(value, 'profiles').map((entry) => ({
    ...entry.named,
    needs: entry.list('needs'),
    rows: entry.list('rows'),
    except: entry.list('except', []),
  }));
  const restrictions = entriesOf(value, 'restrictions').map(({ named, text, list }) => {
    const name = restrictionNames.find((known) => known === named.name);
    if (name === undefined) {
      throw new Error(`profiles.yaml: no restriction is called "${named.name}" in verdict.ts`);
    }
    return { ...named, name, field: text('field'), leavesOpen: list('leavesOpen') };
  });
  return { profiles, restrictions };
}

function entriesOf(value: Readonly<Record<string, unknown>>, what: keyof typeof fields) {
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
    const named = { name: text('name'), sentence: text('sentence') };
    if (names.has(named.name)) throw new Error(`${where}: "${named.name}" stands twice`);
    names.add(named.name);
    return { named, text, list };
  });
}
