import { createHash } from 'node:crypto';
import type { Catalogue } from './catalogue.ts';
import { type ExchangeId, parseId } from './exchange-id.ts';
import { expand, type Level, levels, type Requirement } from './requirement.ts';
import type { CatalogueRevision } from './revision.ts';
import type { Axes } from './row.ts';

/**
 * Returns the catalogue as types, from which `check()` and `check.each()` take their ids and axis values. For the
 * test that freezes ids and levels.
 */
export function idsAsTypes({ requirements }: Catalogue, axes: Axes): string {
  const checked = requirements.filter(({ unchecked }) => unchecked === null);
  const others = requirements.filter(({ unchecked }) => unchecked !== null);
  const valuesAt = (axis: Requirement['axis'], own: Level): readonly string[] =>
    (axis ?? []).flatMap(({ level, value }) => (level === own ? [value] : []));
  const rows = checked.flatMap(({ id, level, axis }) => {
    if (axis === null) return [`  '${id}': '${level}';`];
    const byLevel = levels.flatMap((own) => {
      const values = valuesAt(axis, own);
      return values.length === 0 ? [] : [`${own}: ${typeOf(values, axes)}`];
    });
    return wrapped(`'${id}': { ${byLevel.join('; ')} };`);
  });
  const used = Object.entries(axes).filter(([name]) => rows.join().includes(inAxis(name)));
  return [
    '/** Values of the axes in `fixtures/requirements/axes.yaml`. */',
    'interface AxisValues {',
    ...used.flatMap(([name, values]) => wrapped(`'${name}': ${union(values)};`)),
    '}',
    '',
    ...header,
    'export interface CheckedIds {',
    ...rows,
    '}',
    '',
    '/** Rows without a check, with their levels. */',
    'export interface UncheckedIds {',
    ...others.map(({ id, level }) => `  '${id}': '${level}';`),
    '}',
    '',
  ].join('\n');
}

const union = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(' | ');

const inAxis = (name: string): string => `AxisValues['${name}']`;

/** Returns the shortest type with these values: a union, an axis or a product, with or without exceptions. */
function typeOf(values: readonly string[], axes: Axes): string {
  const except = (all: readonly string[], type: string): string[] => {
    if (!values.every((value) => all.includes(value))) return [];
    const others = all.filter((value) => !values.includes(value));
    return [others.length === 0 ? type : `Exclude<${type}, ${union(others)}>`];
  };
  const types = [
    union(values),
    ...Object.entries(axes).flatMap(([name, all]) => except(all, inAxis(name))),
  ];
  if (values.every((value) => value.includes('.'))) {
    const halves = values.map((value) => value.split('.'));
    const [firsts = [], seconds = []] = [0, 1].map((half) => [
      ...new Set(halves.map((parts) => parts[half] ?? '')),
    ]);
    const all = firsts.flatMap((first) => seconds.map((second) => `${first}.${second}`));
    const inTemplate = (half: readonly string[]): string =>
      half.length === 1 ? half.join() : `\${${typeOf(half, axes)}}`;
    types.push(...except(all, `\`${inTemplate(firsts)}.${inTemplate(seconds)}\``));
  }
  return types.reduce((best, type) => (type.length < best.length ? type : best));
}

/** Wraps lines at a hundred characters. */
function wrapped(text: string, indent = 2): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const isFull = line.length + 1 + word.length > 100;
    if (isFull) lines.push(line);
    const start = ' '.repeat(lines.length === 0 ? indent : indent + 2);
    line = line === '' || isFull ? start + word : `${line} ${word}`;
  }
  return [...lines, line];
}

const header = [
  '/**',
  ' * The frozen ids of the catalogue: of each row its level, or the values of its axis by level. Made from',
  ' * `fixtures/requirements/` by `npx vitest run --project harness harness/kernel/core -u`. An id names one',
  ' * requirement for good: it is never renamed, and never used again.',
  ' */',
];

function digestOfMusts(requirements: readonly Requirement[]): string {
  const hash = createHash('sha256');
  const checked = requirements.filter(({ unchecked }) => unchecked === null);
  for (const { id, level, requirement } of checked.flatMap(expand)) {
    if (level === 'MUST') hash.update(`${id}\t${requirement.text}\n`);
  }
  return hash.digest('hex');
}

/** Returns the revision file: unchanged while the MUSTs are, and counted up otherwise. */
export function nextRevision(
  { revision, musts }: CatalogueRevision,
  requirements: readonly Requirement[],
): string {
  const actual = digestOfMusts(requirements);
  return [
    '# The revision of the catalogue: certificates, badges and reports name it. It counts up with every change of',
    '# what a MUST asks. Made by `npx vitest run --project harness harness/kernel/core -u`.',
    `revision: ${actual === musts ? revision : revision + 1}`,
    `musts: "${actual}"`,
    '',
  ].join('\n');
}

export function idFrom(text: string): ExchangeId {
  const id = parseId(text);
  if (id === null) throw new Error(`"${text}" is the id of no exchange.`);
  return id;
}
