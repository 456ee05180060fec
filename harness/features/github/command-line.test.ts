import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DeclaredOption } from '../../kernel/cli/options/declared.ts';
import { runCommand } from '../../kernel/cli/run.ts';
import { processTerminal } from '../../kernel/terminal/terminal.ts';
import { temporaryFolder } from '../../testing.ts';
import { commandLineOf, matching } from './command-line.ts';
import { actionInputs } from './inputs.ts';

const defaults = Object.fromEntries(actionInputs().map((input) => [input.name, input.default]));
const lineOf = (inputs: Record<string, string>): string =>
  commandLineOf({ ...defaults, reports: 'out', ...inputs }, 'summary.md').join(' ');

const reports =
  '--json out/report.json --html out/report.html --junit out/junit.xml --ctrf out/ctrf.json --badge out/badge.svg';

test('every option of the command is an input, or there is a reason', async () => {
  const { options } = await runCommand(processTerminal(), () => {});
  const names = actionInputs().map(({ name }) => `--${name}`);
  const reasons = options.filter(
    (option) => option instanceof DeclaredOption && option.declared.notInput !== undefined,
  );
  const known = [...names, ...reasons.map(({ long }) => long)];
  expect(known).toEqual(expect.arrayContaining(options.map(({ long }) => long)));
  expect(new Set(names).size).toBe(names.length);
});

test('without inputs, everything is judged, annotated and reported', () => {
  expect(lineOf({})).toBe(`run --github --markdown summary.md ${reports} --`);
});

test('options, ids, and several targets', () => {
  const inputs = {
    target: 'eu.yaml\nus.yaml\n',
    strict: 'true',
    serial: 'false',
    settle: 'false',
    record: 'true',
    'known-failures': 'known to fail.txt',
    ids: 'storage/ @messages\n models/',
  };
  const inEach = reports.replaceAll('out/', 'out/{target}/');
  const line = lineOf(inputs);
  for (const part of [
    'run --target eu.yaml --target us.yaml ',
    ' --no-settle ',
    ' --strict ',
    ' --known-failures known to fail.txt ',
    ` --github --markdown summary.md ${inEach} --record out/{target}/exchanges.jsonl -- storage/ @messages models/`,
  ]) {
    expect(line).toContain(part);
  }
  expect(line).not.toContain('--serial');
});

test('a shard annotates nothing, and is partial at best', () => {
  expect(lineOf({ shard: '2/4' })).toBe(`run --shard 2/4 --allow-partial ${reports} --`);
});

test('the reports of shards are merged and annotated', () => {
  const folder = temporaryFolder();
  for (const part of ['part-2', 'part-1']) {
    mkdirSync(join(folder, part));
    for (const name of ['report.json', 'exchanges.jsonl'])
      writeFileSync(join(folder, part, name), '');
  }
  const [one, two] = ['part-1', 'part-2'].map((part) => join(folder, part));
  const merge = `${folder}/part-*/report.json`;
  expect(matching(merge)).toHaveLength(2);
  expect(lineOf({ merge, recordings: `${folder}/*/exchanges.jsonl` })).toBe(
    `merge ${one}/report.json ${two}/report.json --recordings ${one}/exchanges.jsonl ${two}/exchanges.jsonl --github --markdown summary.md ${reports}`,
  );
  expect(() => lineOf({ merge: `${folder}/none-*/report.json` })).toThrow('no file is named');
});

test('what is neither true nor false is refused', () => {
  expect(() => lineOf({ strict: 'yes' })).toThrow('The input strict is "yes": say true or false.');
});
