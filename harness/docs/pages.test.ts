import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../core/package-root.ts';
import { renew } from './page.ts';
import { pages, readPage } from './pages.ts';
import { sections } from './sections.ts';

// `npm run docs` runs these tests with --update, which writes the pages.
describe('stale pages are renewed by `npm run docs`', () => {
  test.each(pages)('%s', async (path) => {
    const { text } = renew(readPage(path), sections);
    await expect(text).toMatchFileSnapshot(join(packageRoot, path));
  });
});

test('every section stands in one page', () => {
  const names = pages.flatMap((path) => renew(readPage(path), sections).names);
  expect(names.sort()).toEqual(Object.keys(sections).sort());
});
