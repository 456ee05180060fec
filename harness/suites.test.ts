import { describe, expect, test } from 'vitest';
import type { PlannedCheck } from './kernel/engine/plan.ts';
import { plan } from './kernel/engine/plan.ts';
import { plannedScenario, reference } from './kernel/engine/testing.ts';
import { type Sources, sourcesOf } from './testing.ts';

const isCheckFile = (path: string): boolean => path.endsWith('.check.ts');

/** `suites/access/owners.check.ts` → `access`. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Ids and id prefixes in a file: `'access/owners.item'`, `` `counting/${protocol}.shape` ``. */
function idsIn(source: string, suites: readonly string[]): string[] {
  const form = new RegExp(`['"\`]((?:${suites.join('|')})/[^'"\`\\s/]+\\.[^'"\`\\s]*)['"\`]`, 'g');
  return [...source.matchAll(form)].flatMap(([, id]) => id ?? []);
}

/** Every id that is checked in another folder than that of its suite, as a sentence. */
function idsInOtherFolders(sources: Sources): string[] {
  const paths = [...sources.keys()].filter(isCheckFile);
  const suites = [...new Set(paths.map(folderOf))];
  return paths.flatMap((path) =>
    idsIn(sources.get(path) ?? '', suites)
      .filter((id) => !id.startsWith(`${folderOf(path)}/`))
      .map((id) => `${path} checks ${id}: its place is suites/${id.split('/')[0]}/`),
  );
}

/** The scenarios that would send nothing; what only joins what others captured is a view. */
function idleScenarios({
  checks,
}: {
  readonly checks: readonly Pick<PlannedCheck, 'scenarios'>[];
}): string[] {
  const idle = checks
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ requests }) => requests === 0);
  return [...new Set(idle.map(({ name }) => name))];
}

/** Files that count the input of one answer without comparing it with another answer. */
const countsOfOneAnswer: readonly string[] = [
  'suites/generation/usage-sums.ts',
  'suites/scenarios/metering/generations-sent.ts',
  // A count is documented as exact: that it is, is a recommendation of its own.
  'suites/counting/counts.check.ts',
];

/** Files that compare counts of tokens without the one place that says how far two of them may lie apart. */
function ownComparisons(sources: Sources): string[] {
  const reads = /\btokenCounts\.(input|prompt|result)\(/;
  return [...sources]
    .filter(([path, source]) => reads.test(source) && !path.endsWith('/token-counts.ts'))
    .filter(
      ([path, source]) => !/\/token-counts\.ts'/.test(source) && !countsOfOneAnswer.includes(path),
    )
    .map(([path]) => path);
}

describe('the suites', () => {
  const sources = sourcesOf('suites');

  test('are read: the ids of every check file are seen', () => {
    const suites = [...new Set([...sources.keys()].map(folderOf))];
    const without = [...sources].filter(
      ([path, source]) => isCheckFile(path) && idsIn(source, suites).length === 0,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });

  test('check every id in the folder of its suite', () => {
    expect(idsInOtherFolders(sources)).toEqual([]);
  });

  test('compare counts of tokens in one place', () => {
    expect(ownComparisons(sources)).toEqual([]);
  });

  test('have no scenario that sends nothing', async () => {
    const { target } = await reference();
    const planned = await plan(target);
    expect(planned.checks.length).toBeGreaterThan(100);
    // Some ask for what a target leaves out.
    const thin = await Promise.all(
      (['responses', 'messages'] as const).map(async (protocol) => {
        const models = target.models.map((model) => ({ ...model, protocols: [protocol] }));
        return new Set(idleScenarios(await plan({ ...target, models })));
      }),
    );
    const models = target.models.slice(0, 1);
    thin.push(new Set(idleScenarios(await plan({ ...target, models }))));
    const idle = idleScenarios(planned).filter((name) => thin.every((one) => one.has(name)));
    expect(idle).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  test('an id of another suite', () => {
    const area = ['$', '{area}'].join('');
    const sources = new Map([
      ['suites/access/owners.check.ts', `check('storage/deletion.served', deleted, judge);`],
      [
        'suites/storage/deletion.check.ts',
        `check(\`access/${area}.item\`, it, judge);\ncheck(\`storage/${area}.item\`, it, judge);`,
      ],
      ['suites/storage/lookups.ts', `scenario('access/owners.item', {}, capture);`],
    ]);
    expect(idsInOtherFolders(sources)).toEqual([
      'suites/access/owners.check.ts checks storage/deletion.served: its place is suites/storage/',
      `suites/storage/deletion.check.ts checks access/${area}.item: its place is suites/access/`,
    ]);
  });

  test('a comparison of counts elsewhere', () => {
    const compares =
      'expectValue(tokenCounts.input(one), about).toBeAtMost(tokenCounts.input(other));';
    const sources = new Map([
      ['suites/storage/branches.ts', compares],
      ['suites/storage/chains.ts', `import { it } from '../scenarios/token-counts.ts';${compares}`],
    ]);
    expect(ownComparisons(sources)).toEqual(['suites/storage/branches.ts']);
  });

  test('a scenario that sends nothing, once, and not one that sends', () => {
    const [sends, renames] = [
      plannedScenario('baseline/lookup', 1),
      plannedScenario('stored/renamed', 0),
    ];
    expect(idleScenarios({ checks: [{ scenarios: [sends] }] })).toEqual([]);
    expect(
      idleScenarios({ checks: [{ scenarios: [renames, sends] }, { scenarios: [renames] }] }),
    ).toEqual(['stored/renamed']);
  });
});
