import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Several times as fast as the parser with positions: every command reads these files.
import { CORE_SCHEMA, load as parse } from 'js-yaml';
import { CommandError } from './command-error.ts';
import { codeFile, fixture } from './package-root.ts';
import { isAskedFor } from './place.ts';
import { type Claimable, parseProfiles } from './profiles.ts';
import {
  type AxisValue,
  type CheckDefinition,
  type Citation,
  expand,
  isJudgedFrom,
  type Requirement,
  type Side,
} from './requirement.ts';
import { parseRevision } from './revision.ts';
import { parseAxes, parseRequirement } from './row.ts';
import {
  cited,
  parseSources,
  parseSpecification,
  type SpecificationVersion,
} from './specification.ts';

/** All requirements, even those without a check, as a run of one side sees them. */
export interface Catalogue {
  /** Side that a run judges: `checks`, `find` and `select` have the rows of this side only. */
  readonly side: Side;
  readonly requirements: readonly Requirement[];
  /** Every row for every value of its axis, without the rows that cannot have a check. */
  readonly checks: readonly CheckDefinition[];
  /** Citations of the rows, in the order of the specification and of the sources. */
  readonly citations: readonly Citation[];
  readonly specification: SpecificationVersion;
  /** Counts up with every change of a MUST. */
  readonly revision: number;
  /** Profiles that a gateway can claim, and restrictions that it can state. */
  readonly claims: Claimable;
  /** SHA-256 over the files of the catalogue. */
  readonly digest: string;
  /** Returns the check with this id. @throws {UnknownRequirement} */
  find(id: string): CheckDefinition;
  /**
   * Returns the checks that match one of these filters, in the order of the catalogue; without filters, all.
   *
   * @param prefixes id prefixes, or `@` and a subject
   * @throws {UnknownRequirement} for a filter that matches no check
   */
  select(prefixes: readonly string[]): readonly CheckDefinition[];
}

/** Thrown if a check or a filter names an id that no check of the catalogue has. */
export class UnknownRequirement extends CommandError {
  override readonly name = 'UnknownRequirement';
  readonly id: string;

  /** @param unchecked the rows without a check on this side, for a more helpful message */
  constructor(id: string, known: readonly string[], unchecked: readonly Requirement[] = []) {
    const [row] = unchecked.filter((requirement) =>
      requirement.id.startsWith(id.replace(/:.*/, '')),
    );
    super(
      row?.unchecked === null
        ? `"${id}" is judged of ${judgedOf[row.judges]}.`
        : row === undefined
          ? `"${id}" is not in the catalogue. ${nearest(id, known)}` +
            'Add a row for it under fixtures/requirements/, or correct the id; ' +
            '`touchstone list` shows all.'
          : `"${id}" has no check: ${row.unchecked ?? ''} ` +
            'Remove the reason from its row under fixtures/requirements/ if it can have one.',
    );
    this.id = id;
  }
}

const judgedOf: Readonly<Record<Side, string>> = {
  gateway: 'a gateway: `touchstone run`',
  client: 'a client: `touchstone client`',
  'both-sides': 'a gateway whose target file has `providers`: `touchstone run --target FILE`',
};

/** Returns ids of the same area, or else areas of the same suite, or else the suites. */
function nearest(id: string, known: readonly string[]): string {
  const area = id.split(/[.:]/)[0] ?? id;
  const suite = `${id.split('/')[0] ?? id}/`;
  const inArea = known.filter((other) => other.startsWith(area));
  const inSuite = known.filter((other) => other.startsWith(suite)).map(areaOf);
  const near = [inArea, inSuite, known.map(suiteFolder)].find(({ length }) => length > 0) ?? [];
  const [first, ...rest] = [...new Set(near)].slice(0, 8);
  return first === undefined ? '' : `Near it are: ${[first, ...rest].join(', ')}. `;
}

function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

function suiteFolder(id: string): string {
  return id.slice(0, id.indexOf('/') + 1);
}

let loaded: CatalogueRows | undefined;
const ofSide = new Map<Side, Catalogue>();

/**
 * Reads `fixtures/requirements/`, once.
 *
 * @param side that a run judges
 * @throws {Error} naming file and row, if a row breaks the rules of the catalogue
 */
export function loadCatalogue(side: Side = 'gateway'): Catalogue {
  const known = ofSide.get(side);
  if (known !== undefined) return known;
  loaded ??= builtRows() ?? readRows(fixture());
  const made = catalogue(loaded, side);
  ofSide.set(side, made);
  return made;
}

type CatalogueRows = Pick<
  Catalogue,
  'requirements' | 'citations' | 'specification' | 'revision' | 'claims' | 'digest'
>;

const builtFile = codeFile('catalogue', '.json');

/** Returns the rows that the build has stored, or null when the sources run. */
function builtRows(): CatalogueRows | null {
  if (!existsSync(builtFile)) return null;
  const rows = JSON.parse(readFileSync(builtFile, 'utf8'));
  for (const { basis, axis } of rows.requirements) {
    for (const one of [basis, ...(axis ?? [])]) {
      one.citations = one.citations.map((place: number) => rows.citations[place]);
    }
  }
  return rows;
}

/** Returns the rows as JSON and the path of their file, for the build. Rows share citations: each stands once. */
export function buildCatalogue(): { readonly file: string; readonly rows: unknown } {
  const rows = readRows(fixture());
  const places = new Map(rows.citations.map((citation, place) => [citation, place]));
  const placed = <Cites extends Pick<AxisValue, 'citations'>>(one: Cites) => ({
    ...one,
    citations: one.citations.map((citation) => places.get(citation)),
  });
  const requirements = rows.requirements.map((row) => ({
    ...row,
    basis: placed(row.basis),
    axis: row.axis?.map(placed) ?? null,
  }));
  return { file: builtFile, rows: { ...rows, requirements } };
}

/**
 * Reads the catalogue from a folder: citations from `specification.md` and `sources.yaml`, axes from
 * `requirements/axes.yaml`, and the rows of `<suite>/<area>` from `requirements/<suite>/<area>.yaml`.
 */
export function readRows(folder: string): CatalogueRows {
  const hash = createHash('sha256');
  const load = (file: string): string => {
    const text = readFileSync(join(folder, file), 'utf8');
    hash.update(`${file}\0${text}\0`);
    return text;
  };
  const read = (file: string): unknown => {
    const text = load(file);
    try {
      return parse(text, { schema: CORE_SCHEMA });
    } catch (error) {
      throw new Error(
        `${file}: invalid YAML: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  const { clauses, ...specification } = parseSpecification(load('specification.md'));
  const citations = [...clauses, ...parseSources(read('sources.yaml')).map(cited)];
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  const axes = parseAxes(read('requirements/axes.yaml'));
  const { revision } = parseRevision(read('requirements/revision.yaml'));
  const claims = parseProfiles(read('profiles.yaml'));
  const requirements = new Map<string, { row: Requirement; where: string }>();
  for (const file of filesIn(join(folder, 'requirements'))) {
    const rows = read(`requirements/${file}`);
    if (!Array.isArray(rows)) throw new Error(`${file}: expected a list of requirements`);
    for (const [index, value] of rows.entries()) {
      const where = `${file}, row ${index + 1}`;
      const row = parseRequirement(value, axes, byId, where);
      const home = `${row.id.slice(0, row.id.indexOf('.'))}.yaml`;
      if (home !== file) {
        throw new Error(`${where} (${row.id}): a row stands where its id says: move it to ${home}`);
      }
      const earlier = requirements.get(row.id);
      if (earlier !== undefined) {
        throw new Error(
          `${where} (${row.id}): this id stands already in ${earlier.where}. ` +
            'An id names one requirement, for good: give this one another.',
        );
      }
      requirements.set(row.id, { row, where });
    }
  }
  return {
    requirements: [...requirements.values()].map(({ row }) => row),
    citations,
    specification,
    revision,
    claims,
    digest: hash.digest('hex'),
  };
}

/** Returns the files with rows, by their paths from the folder, with `/` between the parts. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((file) => file.toString().replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.yaml') && file.includes('/'))
    .sort();
}

export function catalogue(rows: CatalogueRows, side: Side): Catalogue {
  const { requirements } = rows;
  const isChecked = (row: Requirement): boolean =>
    isJudgedFrom(side, row.judges) && row.unchecked === null;
  const checks = requirements.filter(isChecked).flatMap(expand);
  const unchecked = requirements.filter((row) => !isChecked(row));
  const byId = new Map(checks.map((check) => [check.id, check]));
  const unknown = (id: string) => new UnknownRequirement(id, [...byId.keys()], unchecked);
  return {
    ...rows,
    side,
    checks,
    find(id) {
      const check = byId.get(id);
      if (check === undefined) throw unknown(id);
      return check;
    },
    select(prefixes) {
      if (prefixes.length === 0) return checks;
      for (const prefix of prefixes) {
        if (!checks.some(({ id }) => isAskedFor(id, prefix))) throw unknown(prefix);
      }
      return checks.filter(({ id }) => prefixes.some((prefix) => isAskedFor(id, prefix)));
    },
  };
}
