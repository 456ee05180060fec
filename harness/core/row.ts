import {
  type Authority,
  type AxisValue,
  authorities,
  type Level,
  levels,
  type Requirement,
  type Source,
} from './requirement.ts';

/** The named axes of `axes.yaml`: lists of values that several rows are run for. */
export type Axes = Readonly<Record<string, readonly string[]>>;

const idForm = /^[a-z0-9-]+\/[a-z0-9-]+\.[a-z0-9-]+$/;
const valueForm = /^[a-z0-9_-]+$/;
const fields = new Set([
  'id',
  'level',
  'text',
  ...authorities,
  'axis',
  'by',
  'except',
  'levels',
  'unchecked',
]);

/** @throws {Error} when the axes are no map of lists of kebab-case names */
export function parseAxes(value: unknown): Axes {
  if (!isRecord(value)) throw new Error('axes.yaml: expected a map of named lists');
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [name, values(list, {}, `axes.yaml, ${name}`)]),
  );
}

/**
 * One row. `axis` is the name of an axis or a list of values; with `by`, a second one, the values are
 * their products, joined by a dot. `except` leaves values out; `levels` gives some a level of their
 * own, by the whole value or by one half of a product.
 *
 * @param where names the row in errors
 * @throws {Error} when the row breaks a rule of the catalogue
 */
export function parseRequirement(row: unknown, axes: Axes, where: string): Requirement {
  if (!isRecord(row)) throw new Error(`${where}: expected a requirement`);
  const id = text(row, 'id', where);
  const at = `${where} (${id})`;
  if (!idForm.test(id)) throw new Error(`${at}: an id is <suite>/<area>.<rule>, in kebab case`);
  for (const field of Object.keys(row)) {
    if (!fields.has(field)) {
      throw new Error(`${at}: unknown field "${field}", expected ${[...fields].join(', ')}`);
    }
  }
  const level = asLevel(row.level, at);
  const source = sourceOf(row, at);
  if (level === 'MUST' && source.authority === 'project') {
    throw new Error(
      `${at}: our own judgement cannot carry a MUST: make it a SHOULD or name a source`,
    );
  }
  return {
    id,
    level,
    text: text(row, 'text', at),
    source,
    axis: axisOf(row, axes, level, at),
    unchecked: row.unchecked === undefined ? null : text(row, 'unchecked', at),
  };
}

function axisOf(
  row: Record<string, unknown>,
  axes: Axes,
  level: Level,
  where: string,
): AxisValue[] | null {
  if (row.axis === undefined) {
    const orphan = ['by', 'except', 'levels'].find((field) => row[field] !== undefined);
    if (orphan !== undefined) throw new Error(`${where}: "${orphan}" without an "axis"`);
    return null;
  }
  const first = values(row.axis, axes, where);
  const second = row.by === undefined ? null : values(row.by, axes, where);
  const all = second === null ? first : first.flatMap((a) => second.map((b) => `${a}.${b}`));
  const except = row.except === undefined ? [] : listOf(row.except, where);
  const own = row.levels === undefined ? {} : row.levels;
  if (!isRecord(own)) throw new Error(`${where}: "levels" is a map from value to level`);
  for (const name of [...except, ...Object.keys(own)]) {
    if (!all.some((value) => covers(name, value))) {
      throw new Error(`${where}: "${name}" is no value of its axis (${all.join(', ')})`);
    }
  }
  return all
    .filter((value) => !except.some((name) => covers(name, value)))
    .map((value) => {
      const name =
        Object.keys(own).find((key) => key === value) ??
        Object.keys(own).find((key) => covers(key, value));
      return { value, level: name === undefined ? level : asLevel(own[name], where) };
    });
}

function covers(name: string, value: string): boolean {
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
  const list = listOf(value, where);
  for (const entry of list) {
    if (!valueForm.test(entry)) {
      throw new Error(`${where}: "${entry}" is no axis value: lower case, digits, "-" and "_"`);
    }
    if (list.indexOf(entry) !== list.lastIndexOf(entry)) {
      throw new Error(`${where}: the axis value "${entry}" stands twice`);
    }
  }
  return list;
}

function listOf(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${where}: expected a list of values`);
  return value.map((entry) => {
    if (typeof entry !== 'string')
      throw new Error(`${where}: expected text, got ${String(entry)}: quote it`);
    return entry;
  });
}

function sourceOf(row: Record<string, unknown>, where: string): Source {
  const given = authorities.filter((authority: Authority) => row[authority] !== undefined);
  const [authority] = given;
  if (authority === undefined || given.length > 1) {
    throw new Error(`${where}: name exactly one source: ${authorities.join(', ')}`);
  }
  return { authority, section: text(row, authority, where) };
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

function text(row: Record<string, unknown>, field: string, where: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new Error(`${where}: "${field}" is missing or no text`);
  }
  return value.trim();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
