import { isObject, type JsonObject } from './json-value.ts';
import {
  type AxisValue,
  type Citation,
  type Level,
  levels,
  type Requirement,
  type Side,
  sides,
} from './requirement.ts';

/** The named axes of `axes.yaml`: lists of values that several rows share. */
export type Axes = Readonly<Record<string, readonly string[]>>;

/** Citations that rows may use, by id. */
type Citations = ReadonlyMap<string, Citation>;

const idForm = /^[a-z0-9-]+\/[a-z0-9-]+\.[a-z0-9-]+$/;
const valueForm = /^[a-z0-9_-]+$/;
const fields = new Set([
  'id',
  'level',
  'text',
  'clauses',
  'sources',
  'project',
  'axis',
  'by',
  'except',
  'levels',
  'each-region',
  'judges',
  'unchecked',
]);

/** @throws {Error} if the axes are no map of lists of valid names */
export function parseAxes(value: unknown): Axes {
  if (!isObject(value)) throw new Error('axes.yaml: expected a map of named lists');
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [name, values(list, {}, `axes.yaml, ${name}`)]),
  );
}

/**
 * Parses one row of the catalogue.
 *
 * - `axis` is the name of an axis or a list of values. With `by`, a second axis, the values are the products,
 *   joined by a dot.
 * - `except` leaves values out.
 * - `levels` gives some values another level, by the whole value or by one half of a product.
 * - `each-region` is true, or names the values that are judged in every region of a target, not only in the first.
 * - `judges: client` makes it a requirement on clients, `judges: both-sides` one that only a run shows that plays the
 *   providers of the gateway.
 * - `clauses` and `sources` are its citations. `sources` may be a map from value to list, as `levels` is.
 *
 * @param where names the row in errors
 * @throws {Error} if the row breaks a rule of the catalogue
 */
export function parseRequirement(
  row: unknown,
  axes: Axes,
  citations: Citations,
  where: string,
): Requirement {
  if (!isObject(row)) throw new Error(`${where}: expected a requirement`);
  const id = text(row, 'id', where);
  const at = `${where} (${id})`;
  if (!idForm.test(id)) throw new Error(`${at}: an id is <suite>/<area>.<rule>, in kebab case`);
  for (const field of Object.keys(row)) {
    if (!fields.has(field)) {
      throw new Error(`${at}: unknown field "${field}", expected ${[...fields].join(', ')}`);
    }
  }
  const level = asLevel(row.level, at);
  const judgement = row.project === undefined ? null : text(row, 'project', at);
  const clauses = citedIn(row.clauses, 'clauses', citations, at);
  const sources = sourcesOf(row.sources, citations, at);
  const all = gapsLast(clauses, sources.all);
  if (judgement === null && all.length === 0) {
    throw new Error(`${at}: say what it rests on: clauses, sources, or our own reason as project`);
  }
  const axis = axisOf(row, axes, { level, clauses, sources }, at);
  const inEachRegion = row['each-region'] === true;
  const carried = axis ?? [{ value: null, level, citations: all }];
  for (const { value, level: own, citations: cited } of carried) {
    if (own !== 'MUST') continue;
    if (cited.some(({ kind }) => kind !== 'gap')) continue;
    const which = value === null ? at : `${at}, ${value}`;
    throw new Error(
      `${which}: our own judgement or a gap cannot carry a MUST: make it a SHOULD or cite what says it`,
    );
  }
  return {
    id,
    level,
    text: text(row, 'text', at),
    basis: { citations: all, judgement },
    axis,
    inEachRegion,
    judges: asSide(row.judges ?? 'gateway', at),
    unchecked: row.unchecked === undefined ? null : text(row, 'unchecked', at),
  };
}

/** Joins citations. What demands something comes before what the specification leaves open. */
function gapsLast(...lists: readonly (readonly Citation[])[]): readonly Citation[] {
  const all = [...new Set(lists.flat())];
  return all.toSorted((one, other) => Number(one.kind === 'gap') - Number(other.kind === 'gap'));
}

interface Sources {
  readonly all: readonly Citation[];
  /** By axis value or by one half of a product; null: the same for all. */
  readonly byValue: Readonly<Record<string, readonly Citation[]>> | null;
}

function sourcesOf(value: unknown, citations: Citations, where: string): Sources {
  if (!isObject(value)) {
    return { all: citedIn(value, 'sources', citations, where), byValue: null };
  }
  const byValue = Object.fromEntries(
    Object.entries(value).map(([name, list]) => [
      name,
      citedIn(list, 'sources', citations, `${where}, ${name}`),
    ]),
  );
  return { all: Object.values(byValue).flat(), byValue };
}

function citedIn(
  value: unknown,
  field: 'clauses' | 'sources',
  citations: Citations,
  where: string,
): readonly Citation[] {
  if (value === undefined) return [];
  return readTexts(value, where).map((id) => {
    const found = citations.get(id);
    if (found === undefined || (found.kind === 'document') !== (field === 'sources')) {
      const page = field === 'sources' ? 'sources.yaml' : 'specification.md';
      throw new Error(`${where}: "${id}" of "${field}" is not in ${page}`);
    }
    return found;
  });
}

function axisOf(
  row: JsonObject,
  axes: Axes,
  rests: {
    readonly level: Level;
    readonly clauses: readonly Citation[];
    readonly sources: Sources;
  },
  where: string,
): AxisValue[] | null {
  const { level, clauses, sources } = rests;
  if (row.axis === undefined) {
    if (sources.byValue !== null) throw new Error(`${where}: "sources" by value without an "axis"`);
    const orphan = ['by', 'except', 'levels'].find((field) => row[field] !== undefined);
    if (orphan !== undefined) throw new Error(`${where}: "${orphan}" without an "axis"`);
    if ((row['each-region'] ?? true) !== true) {
      throw new Error(`${where}: without an "axis", "each-region" can only be true`);
    }
    return null;
  }
  const first = values(row.axis, axes, where);
  const second = row.by === undefined ? null : values(row.by, axes, where);
  const all = second === null ? first : first.flatMap((a) => second.map((b) => `${a}.${b}`));
  const except = row.except === undefined ? [] : readTexts(row.except, where);
  const regions = row['each-region'] === undefined ? [] : row['each-region'];
  const everywhere = regions === true ? all : readTexts(regions, where);
  const own = row.levels === undefined ? {} : row.levels;
  if (!isObject(own)) throw new Error(`${where}: "levels" is a map from value to level`);
  for (const name of [
    ...except,
    ...everywhere,
    ...Object.keys(own),
    ...Object.keys(sources.byValue ?? {}),
  ]) {
    if (!all.some((value) => isNamedBy(name, value))) {
      throw new Error(`${where}: "${name}" is not a value of its axis (${all.join(', ')})`);
    }
  }
  return all
    .filter((value) => !except.some((name) => isNamedBy(name, value)))
    .map((value) => {
      const name = keyFor(value, own);
      const by = sources.byValue === null ? undefined : keyFor(value, sources.byValue);
      if (sources.byValue !== null && by === undefined) {
        throw new Error(`${where}: "sources" has nothing for ${value}`);
      }
      const cited = by === undefined ? sources.all : (sources.byValue?.[by] ?? []);
      return {
        value,
        level: name === undefined ? level : asLevel(own[name], where),
        citations: gapsLast(clauses, cited),
        inEachRegion: everywhere.some((name) => isNamedBy(name, value)),
      };
    });
}

/** Returns the key of a map that applies to a value: the whole value before one half of it. */
function keyFor(value: string, map: Readonly<JsonObject>): string | undefined {
  const keys = Object.keys(map);
  return keys.find((key) => key === value) ?? keys.find((key) => isNamedBy(key, value));
}

function isNamedBy(name: string, value: string): boolean {
  return name === value || value.split('.').includes(name);
}

function values(value: unknown, axes: Axes, where: string): readonly string[] {
  if (typeof value === 'string') {
    const named = axes[value];
    if (named === undefined) {
      const known = Object.keys(axes).join(', ');
      throw new Error(`${where}: there is no axis "${value}" in axes.yaml, only ${known}`);
    }
    return named;
  }
  const list = readTexts(value, where);
  for (const entry of list) {
    if (!valueForm.test(entry)) {
      throw new Error(`${where}: "${entry}" is not an axis value: lower case, digits, "-" and "_"`);
    }
    if (list.indexOf(entry) !== list.lastIndexOf(entry)) {
      throw new Error(`${where}: the axis value "${entry}" stands twice`);
    }
  }
  return list;
}

function readTexts(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${where}: expected a list of values`);
  return value.map((entry) => {
    if (typeof entry !== 'string')
      throw new Error(`${where}: expected text, got ${String(entry)}: quote it`);
    return entry;
  });
}

function asLevel(value: unknown, where: string): Level {
  const level = levels.find((known) => known === value);
  if (level === undefined) {
    throw new Error(
      `${where}: the level is ${String(value)}, expected one of ${levels.join(', ')}`,
    );
  }
  return level;
}

function asSide(value: unknown, where: string): Side {
  const side = sides.find((known) => known === value);
  if (side === undefined) {
    throw new Error(`${where}: "judges" is ${String(value)}, expected one of ${sides.join(', ')}`);
  }
  return side;
}

function text(row: JsonObject, field: string, where: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new Error(`${where}: "${field}" is missing or not text`);
  }
  return value.trim();
}
