import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Catalogue, loadCatalogue } from '../../kernel/core/catalogue.ts';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { expand } from '../../kernel/core/requirement.ts';
import { keepCounts } from './keep-counts.ts';
import { renew, type Sections } from './page.ts';
import { pages, readPage } from './pages.ts';
import { sectionsOf } from './sections.ts';

const catalogue = loadCatalogue();
const sections = sectionsOf(catalogue);

// `npm run docs` runs these tests with --update, which writes the pages.
describe('stale pages are renewed by `npm run docs`', () => {
  test.each(pages)('%s', async (path) => {
    const { text } = renew(readPage(path), sections, { keepCounts });
    await expect(text).toMatchFileSnapshot(join(packageRoot, path));
  });
});

test('every section stands in one page', () => {
  const names = pages.flatMap(
    (path) => renew(readPage(path), sections, { keepCounts: true }).names,
  );
  expect(names.sort()).toEqual(Object.keys(sections).sort());
});

describe('a new requirement', () => {
  test('leaves every page as it is, in every area and of each level', () => {
    const kept = pages.map((path) => ({
      path,
      page: renew(readPage(path), sections, { keepCounts: true }).text,
    }));
    const areas = new Map(catalogue.requirements.map((row) => [row.id.replace(/\..*/, ''), row]));
    const rows = [...areas.values()].flatMap((like) =>
      (['MUST', 'SHOULD', 'MAY'] as const).map((level) => {
        const id = `${like.id}-planted-${level.toLowerCase()}`;
        return { ...like, id, level, axis: null, unchecked: null };
      }),
    );
    const more = sectionsOf(rows.reduce(withRow, catalogue));
    for (const { path, page } of kept) {
      expect(renew(page, more, { keepCounts: true }).text === page, path).toBe(true);
    }
  });

  test('changes the counts of the pages when they are renewed', () => {
    const [like] = catalogue.requirements;
    if (like === undefined) throw new Error('There are no requirements');
    const more = sectionsOf(withRow(catalogue, { ...like, id: `${like.id}-planted` }));
    const renewed = (path: string, from: Sections): string =>
      renew(readPage(path), from, { keepCounts: false }).text;
    const changed = pages.filter((path) => renewed(path, more) !== renewed(path, sections));
    expect(changed.sort()).toEqual(['README.md', 'fixtures/requirements/README.md']);
  });

  test('of a new area asks for its description', () => {
    const [like] = catalogue.requirements;
    if (like === undefined) throw new Error('There are no requirements');
    const more = sectionsOf(withRow(catalogue, { ...like, id: 'storage/planted.rule' }));
    const page = readPage('fixtures/requirements/README.md');
    expect(() => renew(page, more, { keepCounts: true })).toThrow('Say what storage/planted is');
  });
});

function withRow(before: Catalogue, row: Catalogue['requirements'][number]): Catalogue {
  return {
    ...before,
    requirements: [...before.requirements, row],
    checks: [...before.checks, ...expand(row)],
  };
}
