import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadCatalogue, readCatalogue, UnknownRequirement } from './catalogue.ts';
import { fixture } from './package-root.ts';

/** A catalogue of these files, in a folder that goes when the test ends. */
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-catalogue-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const row = (id: string, more = ''): string =>
  `- { id: ${id}, level: MUST, text: It holds., spec: Endpoints${more} }\n`;

describe('the catalogue of the project', () => {
  const catalogue = loadCatalogue();

  // An id is the key of a check, a filter and a report: it never changes and is never reused. What a
  // difference here shows has to be wanted; `vitest -u` then accepts it.
  test('its ids and levels are frozen', async () => {
    const checks = catalogue.checks.map(({ level, id }) => `${level.padEnd(6)} ${id}`);
    const unchecked = catalogue.requirements
      .filter((requirement) => requirement.unchecked !== null)
      .map(({ level, id }) => `${level.padEnd(6)} ${id} (unchecked)`);
    await expect(`${[...checks, ...unchecked].join('\n')}\n`).toMatchFileSnapshot(
      '__snapshots__/catalogue.txt',
    );
  });

  test('no id stands twice, neither of a row nor of a check', () => {
    for (const ids of [catalogue.requirements, catalogue.checks].map((all) =>
      all.map(({ id }) => id),
    )) {
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });

  test('ids are <suite>/<area>.<rule>, with lower-case axis values', () => {
    for (const { id } of catalogue.checks) {
      expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+\.[a-z0-9-]+(:[a-z0-9_-]+(\.[a-z0-9_-]+)?)?$/);
    }
  });

  test('no MUST rests on our own judgement', () => {
    const musts = catalogue.checks.filter(({ level }) => level === 'MUST');
    expect(musts.length).toBeGreaterThan(200);
    expect(
      musts.filter(({ requirement }) => requirement.source.authority === 'project'),
    ).toHaveLength(0);
  });

  test('every text is a sentence, and says enough', () => {
    for (const { id, text } of catalogue.requirements) {
      expect(text, id).toMatch(/^[A-Z`/].{15,}\.$/s);
    }
  });

  test('every section that a row cites is one of the specification', () => {
    const sections = [
      'Authentication',
      'Endpoints',
      'Errors',
      'Events',
      'Limits',
      'Platform model',
      'Request body parameters',
      'States and transitions',
      'Stored response',
      'Versioning',
      'What the service does',
    ];
    const cited = catalogue.requirements
      .filter(({ source }) => source.authority === 'spec')
      .flatMap(({ source }) => source.section.split('; '))
      .map((section) => section.replace(/, (rules?|note) \d( and \d)?$/, ''));
    expect([...new Set(cited)].sort()).toEqual(sections);
  });

  test('its page names only ids that exist', () => {
    const page = readFileSync(fixture('requirements', 'README.md'), 'utf8');
    const suites = new Set(catalogue.requirements.map(({ id }) => id.split('/')[0]));
    const named = [...page.matchAll(/`([a-z-]+)\/([a-z.-]+)`/g)]
      .filter(([, suite]) => suites.has(suite))
      .map(([, suite, rest]) => `${suite}/${rest}`);
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter((name) => !catalogue.requirements.some(({ id }) => id.startsWith(name))),
    ).toEqual([]);
  });

  test('its page names every area', () => {
    const page = readFileSync(fixture('requirements', 'README.md'), 'utf8');
    const areas = new Set(catalogue.requirements.map(({ id }) => id.slice(0, id.indexOf('.'))));
    expect([...areas].filter((area) => !page.includes(`\`${area}`))).toEqual([]);
  });

  test('a row without a check has a reason, and its id is no check', () => {
    const unchecked = catalogue.requirements.filter((requirement) => requirement.unchecked !== null);
    expect(unchecked.length).toBeGreaterThan(5);
    for (const { id } of unchecked) {
      expect(() => catalogue.find(id)).toThrow(UnknownRequirement);
    }
  });
});

describe('finding and selecting', () => {
  const catalogue = readCatalogue(
    folderWith2({
      'axes.yaml': 'colour: [red, blue]\n',
      'a.yaml': `${row('suite/area.one', ', axis: colour, levels: { blue: SHOULD }')}${row('suite/area.two')}`,
      'b.yaml': row('other/area.three', ', unchecked: Nobody can see it.'),
    }),
  );

  test('a row is run for every value of its axis, at the level of that value', () => {
    expect(catalogue.checks.map(({ id, level, value }) => [id, level, value])).toEqual([
      ['suite/area.one:red', 'MUST', 'red'],
      ['suite/area.one:blue', 'SHOULD', 'blue'],
      ['suite/area.two', 'MUST', null],
    ]);
    expect(catalogue.requirements).toHaveLength(3);
  });
});
