import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { touchstone } from '../commands/program.ts';
import { fixture, packageRoot } from '../core/package-root.ts';
import { parseScript } from '../target/script-file.ts';
import { memoryTerminal } from '../terminal/memory-terminal.ts';
import { commandsIn } from './shell-lines.ts';

const page = readFileSync(fixture('mock', 'README.md'), 'utf8');

const files: readonly (readonly [language: string, file: string, text: string])[] = [
  ['yaml', 'answers.yaml', readFileSync(fixture('mock', 'answers.yaml'), 'utf8')],
  ['js', 'with-node-test.mjs', readFileSync(fixture('mock', 'with-node-test.mjs'), 'utf8')],
  // It runs as a test of the library, which is not built then.
  [
    'ts',
    'with-vitest.test.ts',
    readFileSync(join(packageRoot, 'harness', 'adapters', 'with-vitest.test.ts'), 'utf8').replace(
      "'./library.ts'",
      "'gateway-touchstone'",
    ),
  ],
];

test.for(files)('the page has as %s what stands in %s', ([language, , text]) => {
  expect(page).toContain(`\n\`\`\`${language}\n${text}\`\`\`\n`);
});

test('its script is one', () => {
  const { rules } = parseScript(
    readFileSync(fixture('mock', 'answers.yaml'), 'utf8'),
    'answers.yaml',
  );
  expect(rules).toHaveLength(5);
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

test('its commands are commands', async () => {
  const lines = commandsIn(page).filter(({ line }) => line.startsWith('npx '));
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const { line, words } of lines) {
    // It ends at once then, and has read all the others.
    const code = await touchstone([...words.slice(2), '--list-faults'], memoryTerminal());
    expect([line, code]).toEqual([line, 0]);
  }
});
