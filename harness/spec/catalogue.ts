import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fixture } from './package-root.ts';
import { type CheckDefinition, expand, type Requirement } from './requirement.ts';
import { parseAxes, parseRequirement } from './row.ts';

/** All that is required, whether or not a check exists for it. */
export interface Catalogue {
  readonly requirements: readonly Requirement[];
  /** Every row for every value of its axis, without the rows that cannot have a check. */
  readonly checks: readonly CheckDefinition[];
  /** SHA-256 over the files that it was read from. */
  readonly digest: string;
  /** The check with this id. @throws {UnknownRequirement} */
  find(id: string): CheckDefinition;
  /** The checks whose id starts with one of these prefixes; all, when there are none. */
  select(prefixes: readonly string[]): CheckDefinition[];
}

/** A check or a filter names an id that the catalogue does not hold. */
export class UnknownRequirement extends Error {
  override readonly name = 'UnknownRequirement';
  readonly id: string;

  constructor(id: string, known: Iterable<string>) {
    super(
      `"${id}" is not in the catalogue. ${nearest(id, known)}` +
        'Add a row for it under fixtures/requirements/, or correct the id; `touchstone list` shows all.',
    );
    this.id = id;
  }
}

function nearest(id: string, known: Iterable<string>): string {
  const area = id.split(/[.:]/)[0] ?? id;
  const near = [...known].filter((other) => other.startsWith(area)).slice(0, 5);
  return near.length === 0 ? '' : `Near it are: ${near.join(', ')}. `;
}

let loaded: Catalogue | undefined;

/**
 * Reads `fixtures/requirements/*.yaml`, once.
 *
 * @throws {Error} naming file and row, when a row breaks the rules of the catalogue
 */
export function loadCatalogue(): Catalogue {
  loaded ??= readCatalogue(fixture('requirements'));
  return loaded;
}

/** Reads the catalogue of a folder: `axes.yaml`, and rows in every other YAML file. */
export function readCatalogue(folder: string): Catalogue {
  const hash = createHash('sha256');
  const read = (file: string): unknown => {
    const text = readFileSync(join(folder, file), 'utf8');
    hash.update(`${file}\0${text}\0`);
    return parse(text);
  };
  const axes = parseAxes(read('axes.yaml'));
  const requirements: Requirement[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.yaml') || file === 'axes.yaml') continue;
    const rows = read(file);
    if (!Array.isArray(rows)) throw new Error(`${file}: expected a list of requirements`);
    for (const [index, row] of rows.entries()) {
      requirements.push(parseRequirement(row, axes, `${file}, row ${index + 1}`));
    }
  }
  return catalogue(requirements, hash.digest('hex'));
}

function catalogue(requirements: Requirement[], digest: string): Catalogue {
  const checks = requirements.filter((row) => row.unchecked === null).flatMap(expand);
  const byId = new Map<string, CheckDefinition>();
  for (const check of checks) {
    if (byId.has(check.id)) throw new Error(`The id ${check.id} stands twice in the catalogue`);
    byId.set(check.id, check);
  }
  return {
    requirements,
    checks,
    digest,
    find(id) {
      const check = byId.get(id);
      if (check === undefined) throw new UnknownRequirement(id, byId.keys());
      return check;
    },
    select(prefixes) {
      if (prefixes.length === 0) return checks;
      const chosen = checks.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix)));
      for (const prefix of prefixes) {
        if (!chosen.some(({ id }) => id.startsWith(prefix))) {
          throw new UnknownRequirement(prefix, byId.keys());
        }
      }
      return chosen;
    },
  };
}
