import { createHash } from 'node:crypto';
import type { Catalogue } from './catalogue.ts';
import { type ExchangeId, parseId } from './exchange-id.ts';
import { expand, type Level, levels, type Requirement } from './requirement.ts';
import type { CatalogueRevision } from './revision.ts';

/**
 * Returns the catalogue as types, from which `check()` and `check.each()` take their ids and axis values. For the
 * test that freezes ids and levels.
 */
export function idsAsTypes({ requirements }: Catalogue): string {
  const checked = requirements.filter(({ unchecked }) => unchecked === null);
  const others = requirements.filter(({ unchecked }) => unchecked !== null);
  const valuesAt = (axis: Requirement['axis'], own: Level): string =>
    (axis ?? []).flatMap(({ level, value }) => (level === own ? `'${value}'` : [])).join(' | ');
  const all = checked.flatMap(({ axis }) => levels.map((own) => valuesAt(axis, own)));
  const repeated = [...new Set(all.filter((one, at) => one.length > 40 && all.indexOf(one) < at))];
  const rows = checked.flatMap(({ id, level, axis }) => {
    if (axis === null) return [`  '${id}': '${level}';`];
    const byLevel = levels.flatMap((own) => {
      const values = valuesAt(axis, own);
      const at = repeated.indexOf(values);
      return values === '' ? [] : [`${own}: ${at === -1 ? values : `Values${at + 1}`}`];
    });
    return wrapped(`'${id}': { ${byLevel.join('; ')} };`);
  });
  return [
    '// Values of several rows.',
    ...repeated.flatMap((values, at) => wrapped(`type Values${at + 1} = ${values};`, 0)),
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
