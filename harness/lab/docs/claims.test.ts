import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usualFile } from '../../kernel/cli/options/usual-target.ts';
import { touchstone } from '../../kernel/cli/program.ts';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { suiteOf } from '../../kernel/core/result.ts';
import { exitCodes } from '../../kernel/core/verdict.ts';
import { readTarget } from '../../kernel/targets/load.ts';
import { memoryTerminal } from '../../kernel/terminal/testing-terminal.ts';
import { faults } from '../../proof/faults/index.ts';
import { nullTargetKinds } from '../../proof/null-servers.ts';
import { variants } from '../../proof/variants/index.ts';
import { program } from './command-tables.ts';
import { pages, readPage } from './pages.ts';

/** Checks statements in the text of the pages: the names that they mention exist, and the numbers are right. */

const options = new Map(
  program.commands.map((command) => [
    command.name(),
    [...command.options.map(({ long }) => long), '--help'],
  ]),
);
const { requirements, checks } = loadCatalogue();
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
);

const block = /^```\w*\n([\s\S]*?)^```/gm;

function spansIn(page: string): string[] {
  return [...page.replaceAll(block, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

/** Link targets in a page: its headings, as GitHub makes anchors of them, and its own anchors. */
function anchorsIn(page: string): Set<string> {
  const headings = [...page.replaceAll(block, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const own = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}

/** The lines of a page's code blocks, and its code spans. */
function codeIn(page: string): string[] {
  const lines = [...page.matchAll(block)].flatMap(([, code = '']) => code.split('\n'));
  return [...lines, ...spansIn(page)];
}

/** Errors in a command line, with or without the program's name (`run --strict`). */
function wrongWith(line: string): string[] {
  const named = /(?:touchstone|main\.js) ([a-z]+\b)(.*)/.exec(line);
  const bare = /^([a-z]+)( .*--.*)$/.exec(line);
  const [, command = '', rest = ''] = named ?? (options.has(bare?.[1] ?? '') ? bare : null) ?? [];
  if (command === '') return [];
  const known = options.get(command);
  if (known === undefined) return [`\`${line}\`: there is no command ${command}`];
  return [...rest.replace(/ #.*/, '').matchAll(/(?<= )--[a-z-]+/g)]
    .filter(([option]) => !known.includes(option))
    .map(([option]) => `\`${line}\`: ${command} has no option ${option}`);
}

const ignored = readFileSync(join(packageRoot, '.gitignore'), 'utf8').split('\n');

/** True for files that users write, and for folders that appear when something is run. */
function isMade(name: string): boolean {
  return (
    name === usualFile || ignored.some((folder) => folder.endsWith('/') && name.startsWith(folder))
  );
}

describe.each(pages)('%s', (path) => {
  const page = readPage(path);

  test('links to what is there', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const missing = links.filter(
      (link) => !/^[a-z]+:/.test(link) && !existsSync(join(packageRoot, dirname(path), link)),
    );
    expect(missing).toEqual([]);
  });

  test('links to headings that there are', () => {
    const links = [...page.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)];
    const missing = links.filter(([, file = '', anchor = '']) => {
      const other = file === '' ? path : join(dirname(path), file);
      if (!other.endsWith('.md')) return false;
      const text = file === '' ? page : readPage(other);
      return !anchorsIn(text).has(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test('names files and folders of the project that there are', () => {
    const named = spansIn(page).filter((span) => /^[\w./-]+(?:\.(?:ts|txt|yaml)|\/)$/.test(span));
    const roots = [
      dirname(path),
      '.',
      'harness',
      'harness/kernel',
      'harness/features',
      'fixtures/requirements',
    ];
    // A suite or an area of the catalogue looks like a folder.
    const isId = (name: string): boolean => requirements.some(({ id }) => id.startsWith(name));
    const isThere = (name: string): boolean =>
      roots.some((root) => existsSync(join(packageRoot, root, name)));
    const missing = named.filter((name) => !isThere(name) && !isId(name) && !isMade(name));
    expect(missing).toEqual([]);
  });

  test('names requirements that there are', () => {
    const suites = new Set(requirements.map(({ id }) => suiteOf(id)));
    const named = spansIn(page).filter((span) => /^[a-z-]+\/[a-z-]+(?:\.[a-z0-9-]+)?$/.test(span));
    // A folder of the harness may be called like a suite: its files are no requirements.
    const ids = named.filter(
      (name) => suites.has(name.split('/')[0] ?? '') && !name.endsWith('.ts'),
    );
    const missing = ids.filter((name) => !requirements.some(({ id }) => id.startsWith(name)));
    expect(missing).toEqual([]);
  });

  test('names npm scripts that there are', () => {
    const named = codeIn(page).flatMap((line) => [...line.matchAll(/npm run ([a-z-]+)/g)]);
    expect(named.map(([, script = '']) => script).filter((script) => !scripts[script])).toEqual([]);
  });

  test('names commands and options that there are', () => {
    expect(codeIn(page).flatMap(wrongWith)).toEqual([]);
  });
});

test('a command or an option that there is not is found', () => {
  expect(['touchstone try', 'npx touchstone run --hope', 'plan --sure'].map(wrongWith)).toEqual([
    [expect.stringContaining('no command try')],
    [expect.stringContaining('no option --hope')],
    [expect.stringContaining('no option --sure')],
  ]);
  expect(['touchstone run --strict # --hope', 'npm test', 'plan'].flatMap(wrongWith)).toEqual([]);
});

test('exit codes are said as they are, in pages and in the help', async () => {
  const terminal = memoryTerminal();
  await touchstone(['--help'], terminal);
  const codes: readonly [RegExp, number][] = [
    [/^conformant$/, exitCodes.conformant],
    [/^nonconformant$/, exitCodes.nonconformant],
    [/^indeterminate or partial$/, exitCodes.undecided],
    [/^wrong usage/, exitCodes.usage],
    [/^(the )?target /, exitCodes.unreachable],
    [/^Touchstone itself crashed/, exitCodes.broken],
  ];
  const texts = [terminal.written.out, ...pages.map(readPage)];
  const said = texts.flatMap((text) => [...text.matchAll(/\b(\d) ([a-zA-Z]+[a-zA-Z ]*)/g)]);
  const named = said.flatMap(([claim, digit, words = '']) => {
    const code = codes.find(([form]) => form.test(words.trim()))?.[1];
    return code === undefined ? [] : [{ claim, digit: Number(digit), code }];
  });
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter(({ digit, code }) => digit !== code)).toEqual([]);
});

test('the target file in its page is one', () => {
  const [file = '', ways = '', probes = ''] = [
    ...readPage('fixtures/target.md').matchAll(/^```yaml\n([\s\S]*?)^```/gm),
  ].map(([, block]) => block);
  const secrets = [...file.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
    name,
    `secret-of-${name}`,
  ]);
  expect(secrets).toHaveLength(4);
  const target = readTarget(file + probes, 'target.md', Object.fromEntries(secrets));
  expect(target.models.map(({ id }) => id)).toEqual(['m-1', 'm-2']);
  expect(target.probes.ledger).not.toEqual([]);
  const more = 'keys: none\nmodels: [{ id: m, protocols: [chat] }]\n';
  const environment = { FIREWALL_TOKEN: 'a', KEY_PASSPHRASE: 'b', PROBE_TOKEN: 'c' };
  const way = readTarget(ways + more, 'target.md', environment, { needsFiles: false });
  expect(Object.keys(way.headers)).toHaveLength(2);
});

test.each([
  ['README.md', /some (\d+) checks/, checks],
  ['CHANGELOG.md', /some (\d+) checks/, checks],
  ['CHANGELOG.md', /more than (\d+) requirements/, requirements],
  ['CHANGELOG.md', /more than (\d+) planted faults/, faults],
  ['CHANGELOG.md', /more than (\d+) legal variants/, variants],
  ['CHANGELOG.md', /(\d+) servers that are no gateway/, nullTargetKinds],
])('%s says %s, which is so', (path, form, all) => {
  const [claim, digits] = form.exec(readPage(path)) ?? [];
  const said = Number(digits);
  const round = /^(?:some|more than)/.test(claim ?? '');
  expect(said, claim).toBeLessThanOrEqual(all.length);
  expect(said, claim).toBeGreaterThanOrEqual(round ? all.length * 0.85 : all.length);
});
