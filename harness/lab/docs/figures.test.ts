import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { readTarget } from '../../kernel/targets/load.ts';
import { readPage } from './pages.ts';

/** Figures that stand in the prose of the pages for users: each is held by a test, here or where it says. */

const { limits } = readTarget(
  JSON.stringify({
    regions: [{ name: 'eu', baseUrl: 'https://gateway.example' }],
    keys: { owner: 'a-key-of-user-a' },
    models: [{ id: 'm-1', protocols: ['responses'] }],
  }),
  'target.yaml',
  {},
);
const { engines }: { engines: { node: string } } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
);

/** Numbers that may be written by hand, with the current figure, or with the test that compares them. */
const held: readonly (string | RegExp)[] = [
  `Node ${engines.node.replace('>=', '')}`,
  /some \d+ checks/, // harness/lab/docs/claims.test.ts
  /about \d+ short generations/, // below
  /(?:exit code|exits with) \d/, // harness/lab/docs/claims.test.ts
  /answers 503|\(429, a lockout\)|→ 2xx/, // statuses of HTTP
  `(${limits.consistencyMs}; 0: no time at all)`,
  `(${limits.hostilePerSecond}, at a loopback address none)`,
  `up to ${limits.longRunTokens} tokens`,
  'HTTP/2',
  `for ${mostAskedOneByOne()} requests at most`,
];

/** Requests by which a ledger is asked for one id each. */
function mostAskedOneByOne(): string | undefined {
  const path = join(packageRoot, 'suites', 'scenarios', 'metering', 'ledger-of-the-run.ts');
  return /const mostLooks = (\d+);/.exec(readFileSync(path, 'utf8'))?.[1];
}

/** A page without what is generated, code, quotations and addresses. */
function proseOf(page: string): string {
  return page
    .replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated -->/g, '')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/`[^`]*`|"[^"\n]*"/g, '');
}

/** The lines of a page with a figure that nothing holds. */
function typedFigures(page: string): string[] {
  const rest = held.reduce<string>(
    (text, form) => text.replaceAll(anywhere(form), ''),
    proseOf(page),
  );
  return rest
    .split('\n')
    .flatMap((line) => /.{0,40}(?<![\w-])\d[\d.,]*.{0,20}/.exec(line)?.[0] ?? []);
}

function anywhere(form: string | RegExp): RegExp {
  const source =
    typeof form === 'string' ? form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : form.source;
  return new RegExp(source, 'g');
}

test.each([
  'README.md',
  'fixtures/target.md',
  'fixtures/everyday.md',
  'fixtures/reports.md',
  'fixtures/certificates.md',
])('no figure of %s is typed and nothing more', (path) => {
  expect(typedFigures(readPage(path))).toEqual([]);
});

test('a typed figure is found', () => {
  expect(typedFigures('It has 17 suites.\n`run 3` and Node 18.1.\n"3" in `m-1`.\n')).toHaveLength(
    2,
  );
});

test('the README says about what a run is planned to cost', () => {
  const [, said] = /about (\d+) short generations/.exec(readPage('README.md')) ?? [];
  const [, planned] = /^\| without +\| +(\d+) /m.exec(readPage('fixtures/everyday.md')) ?? [];
  expect(Math.abs(Number(planned) / Number(said) - 1)).toBeLessThan(0.05);
});
