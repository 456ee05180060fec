import { type Catalogue, expand, isOf, levels, suiteOf } from '../../kernel/core/index.ts';
import { areas, suites } from './areas.ts';
import { table } from './table.ts';

/** Content of each suite, with the number of checks of each level. */
export function suitesTable(catalogue: Catalogue): string {
  return groupCounts(catalogue, suites, suiteOf, (suite) => `\`${suite}/\``);
}

/** Content of each area, with the number of checks of each level. */
export function areasTable(catalogue: Catalogue): string {
  return groupCounts(catalogue, areas, areaOf, (area) => `\`${area}\``);
}

/** Profiles that a gateway can claim, with the number of MUSTs of each. */
export function profilesTable({ claims, checks }: Catalogue): string {
  const musts = checks.filter(({ level }) => level === 'MUST');
  return table(
    ['profile', 'what', 'MUST checks'],
    claims.profiles.map((profile) => [
      `\`${profile.name}\``,
      profile.sentence,
      String(musts.filter(({ id }) => isOf(id, profile)).length),
    ]),
    ['left', 'left', 'right'],
  );
}

export function restrictionsTable({ claims }: Catalogue): string {
  return table(
    ['restriction', 'in the target file', 'what'],
    claims.restrictions.map(({ name, field, sentence }) => [
      `\`${name}\``,
      `\`${field}: true\``,
      sentence,
    ]),
  );
}

/** `access/credentials.key-required:responses` → `access/credentials` */
function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/**
 * @param words what each group is about, in the order of the rows
 * @throws {Error} naming what the catalogue has and the words have not, or the other way round
 */
function groupCounts(
  { requirements }: Catalogue,
  words: Readonly<Record<string, string>>,
  groupOf: (id: string) => string,
  label: (group: string) => string,
): string {
  // Checks of gateways and of clients.
  const checks = requirements.filter(({ unchecked }) => unchecked === null).flatMap(expand);
  const known = new Set(requirements.map(({ id }) => groupOf(id)));
  for (const group of known) {
    if (words[group] === undefined)
      throw new Error(`Say what ${group} is about, in harness/lab/docs/areas.ts.`);
  }
  for (const group of Object.keys(words)) {
    if (!known.has(group))
      throw new Error(`The catalogue has no ${group}: remove it from harness/lab/docs/areas.ts.`);
  }
  const countsOf = (belongs: (id: string) => boolean): string[] => [
    String(requirements.filter(({ id }) => belongs(id)).length),
    ...levels.map((level) => {
      const count = checks.filter((check) => check.level === level && belongs(check.id)).length;
      return count === 0 ? '' : String(count);
    }),
  ];
  return table(
    ['where', 'what', 'requirements', ...levels.map((level) => `${level} checks`)],
    [
      ...Object.entries(words).map(([group, what]) => [
        label(group),
        what,
        ...countsOf((id) => groupOf(id) === group),
      ]),
      ['all', '', ...countsOf(() => true)],
    ],
    ['left', 'left', 'right', 'right', 'right', 'right'],
  );
}
