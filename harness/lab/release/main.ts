import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';
import { notesOf, obstaclesTo, withOrigin, withWholeLinks } from './release.ts';

// Step of .github/workflows/release.yml before publishing. It changes files of the checkout.

const { GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SERVER_URL, GITHUB_SHA } =
  process.env;
const at = (name: string): string => join(packageRoot, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

if (GITHUB_REPOSITORY === undefined || GITHUB_SERVER_URL === undefined) {
  throw new Error('This is a step of the release workflow: GitHub says where the repository lies.');
}
const tag = GITHUB_REF_TYPE === 'tag' ? (GITHUB_REF_NAME ?? '') : null;
const { version }: { version: string } = JSON.parse(read('package.json'));
const obstacles = obstaclesTo(tag, version, read('CHANGELOG.md'));
if (obstacles.length > 0) {
  process.stderr.write(`${obstacles.join('\n')}\n`);
  process.exit(1);
}
const origin = {
  repository: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
  ref: tag ?? GITHUB_SHA ?? 'HEAD',
};
writeFileSync(at('package.json'), withOrigin(read('package.json'), origin));
writeFileSync(at('README.md'), withWholeLinks(read('README.md'), origin));
const [, notes] = /--notes (\S+)/.exec(process.argv.join(' ')) ?? [];
if (notes !== undefined) writeFileSync(notes, notesOf(version, read('CHANGELOG.md')) ?? '');
