import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import {
  type Catalogue,
  catalogue,
  loadCatalogue,
  readRows,
  UnknownRequirement,
} from './catalogue.ts';
import { fixture } from './package-root.ts';
import { parseRevision } from './revision.ts';
import { parseAxes } from './row.ts';
import { idsAsTypes, nextRevision } from './testing.ts';

/** The catalogue of these files. */
function catalogueOf(files: Record<string, string>): Catalogue {
  const folder = temporaryFolder();
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = name in pages ? join(folder, name) : join(folder, 'requirements', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return catalogue(readRows(folder), 'gateway');
  } finally {
  }
}

const row = (id: string, more = ''): string =>
  `- { id: ${id}, level: MUST, text: It holds., clauses: [AUTH-1]${more} }\n`;

describe('the catalogue of the project', () => {
  const catalogue = loadCatalogue();

  // An id is the key of a check, a filter and a report: it never changes and is never reused. What a
  // difference here shows has to be wanted; `vitest -u` then accepts it.
  test('its ids and levels are frozen', async () => {
    const axes = parseAxes(load(readFileSync(fixture('requirements', 'axes.yaml'), 'utf8')));
    await expect(idsAsTypes(catalogue, axes)).toMatchFileSnapshot('catalogue-ids.ts');
  });

  // Certificates name the revision: whoever reads two of them knows whether they ask the same.
  test('its revision counts the changes of what a MUST asks', async () => {
    const file = fixture('requirements', 'revision.yaml');
    const record = parseRevision(load(readFileSync(file, 'utf8')));
    await expect(nextRevision(record, catalogue.requirements)).toMatchFileSnapshot(file);
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
    const countedMusts = catalogue.checks.filter(({ level }) => level === 'MUST');
    expect(countedMusts.length).toBeGreaterThan(200);
    const alone = countedMusts.filter(({ basis }) =>
      basis.citations.every(({ kind }) => kind === 'gap'),
    );
    expect(alone.map(({ id }) => id)).toEqual([]);
  });

  test('every text is a sentence, and says enough', () => {
    for (const { id, text } of catalogue.requirements) {
      expect(text, id).toMatch(/^[A-Z`/].{15,}\.$/s);
      // A report shows it alone, without the row before it.
      expect(text, id).not.toMatch(/^(Nor|So|It|They|Such|Those|These|Likewise|Neither)\b/);
    }
  });

  const cited = new Set(
    catalogue.requirements.flatMap(({ basis }) => basis.citations.map(({ id }) => id)),
  );

  test('every clause that promises something has a row', () => {
    const without = catalogue.citations.filter(
      ({ id, kind }) => kind === 'clause' && !cited.has(id),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('every document is cited, and can be opened', () => {
    const documents = catalogue.citations.filter(({ kind }) => kind === 'document');
    expect(documents.length).toBeGreaterThan(20);
    for (const { id, link } of documents) {
      expect(cited, id).toContain(id);
      expect(URL.canParse(link), link).toBe(true);
    }
  });

  test('every clause can be opened at its anchor', () => {
    const page = readFileSync(fixture('specification.md'), 'utf8');
    const clauses = catalogue.citations.filter(({ kind }) => kind !== 'document');
    expect(clauses.length).toBeGreaterThan(100);
    for (const { link } of clauses) {
      const [path, anchor] = link.split('#');
      expect(path).toBe('fixtures/specification.md');
      expect(page).toContain(`<a id="${anchor}"></a>`);
    }
  });

  test('its page names only ids that exist', () => {
    const page = readFileSync(fixture('requirements', 'README.md'), 'utf8');
    const suites = new Set(catalogue.requirements.map(({ id }) => id.split('/')[0]));
    const named = [...page.matchAll(/`([a-z-]+)\/([a-z.-]+)`/g)]
      .filter(([, suite]) => suites.has(suite))
      .map(([, suite, rest]) => `${suite}/${rest}`);
    expect(named.length).toBeGreaterThan(0);
    expect(
      named.filter((name) => !catalogue.requirements.some(({ id }) => id.startsWith(name))),
    ).toEqual([]);
  });

  test('a row without a check has a reason, and its id is no check', () => {
    const unchecked = catalogue.requirements.filter(
      (requirement) => requirement.unchecked !== null,
    );
    expect(unchecked.length).toBeGreaterThan(5);
    for (const { id } of unchecked) {
      expect(() => catalogue.find(id)).toThrow(UnknownRequirement);
    }
  });
});

const pages = {
  'specification.md': 'Revision 1, 2026-01-01\n\n- <a id="auth-1"></a>**AUTH-1** A key.\n',
  'sources.yaml': '[]\n',
  'profiles.yaml': 'profiles: []\nrestrictions: []\n',
  'requirements/revision.yaml': 'revision: 1\nmusts: 0\n',
};

const small = {
  ...pages,
  'axes.yaml': 'colour: [red, blue]\n',
  'suite/area.yaml':
    row('suite/area.one', ', axis: colour, levels: { blue: SHOULD }') + row('suite/area.two'),
  'other/area.yaml': row('other/area.three', ', unchecked: Nobody can see it.'),
  'third/area.yaml': row('third/area.four'),
};

describe('finding and selecting', () => {
  const catalogue = catalogueOf(small);
  const ids = (prefixes: string[]) => catalogue.select(prefixes).map(({ id }) => id);

  test('a row is run for every value of its axis, at the level of that value', () => {
    expect(catalogue.checks.map(({ id, level, value }) => [id, level, value])).toEqual([
      ['suite/area.one:red', 'MUST', 'red'],
      ['suite/area.one:blue', 'SHOULD', 'blue'],
      ['suite/area.two', 'MUST', null],
      ['third/area.four', 'MUST', null],
    ]);
    expect(catalogue.requirements).toHaveLength(4);
  });

  test('find gives a check by its whole id', () => {
    expect(catalogue.find('suite/area.one:blue').level).toBe('SHOULD');
    expect(() => catalogue.find('suite/area.one')).toThrow(UnknownRequirement);
  });

  test('select gives all, or what a prefix begins, in the order of the catalogue', () => {
    expect(ids([])).toHaveLength(4);
    expect(ids(['suite/area.one'])).toEqual(['suite/area.one:red', 'suite/area.one:blue']);
    expect(ids(['third/', 'suite/area.two'])).toEqual(['suite/area.two', 'third/area.four']);
  });

  test('a prefix that matches nothing is an error, also beside one that does', () => {
    expect(() => catalogue.select(['third/', 'nothing/'])).toThrow(UnknownRequirement);
  });

  test.each([
    ['suite/area.tow', '"suite/area.tow" is not in the catalogue', 'suite/area.two'],
    ['suite/aera.two', 'Near it are: suite/area.', 'Add a row'],
    ['siute/area.two', 'Near it are: suite/, third/.', 'touchstone list'],
    ['other/', '"other/" has no check: Nobody can see it.', 'Remove the reason'],
  ])('%s: the error says what is near, and what to do', (id, what, next) => {
    expect(() => catalogue.find(id)).toThrow(what);
    expect(() => catalogue.find(id)).toThrow(next);
  });

  test('the digest changes with any byte of any file', () => {
    expect(catalogue.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(catalogueOf(small).digest).toBe(catalogue.digest);
    const comment = { ...small, 'axes.yaml': `${small['axes.yaml']}# new\n` };
    expect(catalogueOf(comment).digest).not.toBe(catalogue.digest);
  });
});

describe('what is wrong with a catalogue is said, with its place', () => {
  test.each([
    [
      'a row twice',
      row('suite/area.one').repeat(2),
      ['suite/area.yaml, row 2 (suite/area.one)', 'stands already in suite/area.yaml, row 1'],
    ],
    [
      'a row in the file of another area',
      row('suite/other.one'),
      ['suite/area.yaml, row 1 (suite/other.one)', 'move it to suite/other.yaml'],
    ],
    ['no list', 'id: suite/area.two\n', ['suite/area.yaml: expected a list of requirements']],
    ['no YAML', '- { id: suite/area.two\n', ['suite/area.yaml: invalid YAML']],
  ])('%s', (_, text, said) => {
    for (const part of said) {
      expect(() => catalogueOf({ ...pages, 'axes.yaml': '{}', 'suite/area.yaml': text })).toThrow(
        part,
      );
    }
  });

  test('a row without a check keeps its id, too', () => {
    const files = {
      ...pages,
      'axes.yaml': '{}',
      'suite/area.yaml': row('suite/area.one', ', unchecked: No.').repeat(2),
    };
    expect(() => catalogueOf(files)).toThrow('suite/area.yaml, row 2');
  });
});
