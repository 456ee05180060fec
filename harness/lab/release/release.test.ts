import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { notesOf, obstaclesTo, withOrigin, withWholeLinks } from './release.ts';

const read = (name: string): string => readFileSync(join(packageRoot, name), 'utf8');
const origin = { repository: 'https://github.example/owner/name', ref: 'v1.2.3' };
const changelog =
  '# Changelog\n\n## Unreleased\n\nLater.\n\n## 1.2.3 (2027-01-01)\n\nNow.\n\n## 1.2.2\n';

test('a tag releases the version that it names, which the changelog describes', () => {
  expect(obstaclesTo('v1.2.3', '1.2.3', changelog)).toEqual([]);
  expect(notesOf('1.2.3', changelog)).toBe('Now.\n');
  expect(obstaclesTo('v1.2.4', '1.2.3', changelog)).toEqual([expect.stringContaining('v1.2.4')]);
  expect(obstaclesTo('v1.3.0', '1.3.0', changelog)).toEqual([expect.stringContaining('## 1.3.0')]);
  expect(obstaclesTo(null, '1.3.0', changelog)).toEqual([]);
});

test('every link of the README opens on a page of a registry', () => {
  const readme = withWholeLinks(read('README.md'), origin);
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !/^(https:|#)/.test(link))).toEqual([]);
  const own = links.filter((link) => link.startsWith(origin.repository));
  const paths = own.map((link) => link.replace(/#.*/, '').split('/v1.2.3/')[1] ?? '');
  expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
});

test('the package says where it comes from, once that is known, and not before', () => {
  const own = JSON.parse(read('package.json'));
  expect(own).not.toHaveProperty('repository');
  expect(own.keywords).toContain('conformance');
  expect(JSON.parse(withOrigin(read('package.json'), origin))).toEqual({
    ...own,
    homepage: 'https://github.example/owner/name#readme',
    bugs: { url: 'https://github.example/owner/name/issues' },
    repository: { type: 'git', url: 'git+https://github.example/owner/name.git' },
  });
});
