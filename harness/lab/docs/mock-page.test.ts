import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { touchstone } from '../../kernel/cli/program.ts';
import { fixture, packageRoot } from '../../kernel/core/package-root.ts';
import { parseScript } from '../../kernel/targets/script-file.ts';
import { memoryTerminal } from '../../kernel/terminal/testing-terminal.ts';
import { temporaryFolder } from '../../testing.ts';
import { commandsIn } from './shell-lines.ts';

const page = readFileSync(fixture('mock', 'README.md'), 'utf8');

const files: readonly (readonly [language: string, file: string, text: string])[] = [
  ['yaml', 'answers.yaml', readFileSync(fixture('mock', 'answers.yaml'), 'utf8')],
  ['js', 'with-node-test.mjs', readFileSync(fixture('mock', 'with-node-test.mjs'), 'utf8')],
  // The file runs as a test of the mock's source, so its import differs from that on the page.
  [
    'ts',
    'with-vitest.test.ts',
    readFileSync(
      join(packageRoot, 'harness', 'features', 'library', 'with-vitest.test.ts'),
      'utf8',
    ).replace("'./mock.ts'", "'gateway-touchstone/mock'"),
  ],
];

test.for(files)('the page has as %s what stands in %s', ([language, , text]) => {
  expect(page).toContain(`\n\`\`\`${language}\n${text}\`\`\`\n`);
});

test('its script is one', () => {
  const warnings: string[] = [];
  const { rules } = parseScript(
    readFileSync(fixture('mock', 'answers.yaml'), 'utf8'),
    'answers.yaml',
    (warning) => void warnings.push(warning),
  );
  expect(rules).toHaveLength(5);
  expect(warnings).toEqual([]);
});

test('its example for node:test passes', async () => {
  const line = ['--test', fixture('mock', 'with-node-test.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, line, {
    // Node takes a test in a test for one of its own.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  expect(stdout).toMatch(/pass 2/);
  expect(stdout).toMatch(/fail 0/);
});

test('the target file of compose.yaml is what its balancer says of itself', async () => {
  const { services } = parse(readFileSync(fixture('mock', 'compose.yaml'), 'utf8'));
  const file = join(temporaryFolder(), 'target.yaml');
  const terminal = memoryTerminal();
  const line: string[] = services.balancer.command.replace('0.0.0.0', '127.0.0.1').split(' ');
  const ended = touchstone([...line, '--port', '0', '--write-target', file], terminal);
  // The first start of the command loads it.
  await expect.poll(() => terminal.written.out).toMatch(/us\n$/);
  terminal.interrupt();
  expect(await ended).toBe(0);
  const written = readFileSync(file, 'utf8').replaceAll(/(127\.0\.0\.1):\d+/g, '$1:8787');
  await expect(written).toMatchFileSnapshot(fixture('mock', 'compose-target.yaml'));
});

test('its commands are commands', async () => {
  const lines = commandsIn(page).filter(({ words }) => words.includes('serve'));
  expect(lines.length).toBeGreaterThanOrEqual(4);
  for (const { line, words } of lines) {
    // With this option, the command parses all others and ends at once. harness/features/containers/compose.test.ts
    // covers the container around it.
    const serve = words.slice(words.indexOf('serve'));
    const code = await touchstone([...serve, '--list-faults'], memoryTerminal());
    expect([line, code]).toEqual([line, 0]);
  }
});
