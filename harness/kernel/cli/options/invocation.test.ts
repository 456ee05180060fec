import { Command } from 'commander';
import { expect, test } from 'vitest';
import { inShell } from '../../core/shell.ts';
import { memoryTerminal } from '../../terminal/testing-terminal.ts';
import { commandLine } from '../program.ts';
import { againOf } from './invocation.ts';

const terminal = { ...memoryTerminal(), program: 'npx gateway-touchstone' };

/** Returns the command line that repeats a `run` with these words. */
async function again(words: readonly string[], target?: string, report?: string) {
  const run = (await commandLine(terminal, () => {})).commands.find((one) => one.name() === 'run');
  if (run === undefined) throw new Error('There is no run');
  run.parseOptions([...words]);
  return againOf(run, terminal)(target, report);
}

test('a run is typed again with what it judged, and without what chose checks', async () => {
  const words =
    '-t a.yaml -t b.yaml storage/ --seed 3 --json r.json --html r.html -q --no-color --shard 1/2 --strict --rps 5 --no-settle';
  expect(
    await again([...words.split(' '), '--known-failures', 'a file'], 'a.yaml', 'r.json'),
  ).toEqual({
    program: 'npx gateway-touchstone',
    command:
      "npx gateway-touchstone run --target a.yaml --rps 5 --no-settle --known-failures 'a file' --strict",
    report: 'r.json',
    target: 'a.yaml',
  });
  expect(await again([])).toEqual({
    program: 'npx gateway-touchstone',
    command: 'npx gateway-touchstone run',
  });
});

test('a secret that was typed is not repeated', async () => {
  const words = ['--base-url', 'http://a', '--header', 'x-api-key: s3cret', '--header', 'x-a: b'];
  const { command } = await again(words);
  expect(command).not.toContain('s3cret');
  expect(command).toContain(" --header 'x-a: b'");
});

test('a command says what it stands for', () => {
  expect(
    againOf(new Command('demo'), memoryTerminal(), '--reference embedded')(undefined, undefined),
  ).toEqual({ program: 'touchstone', command: 'touchstone run --reference embedded' });
});

test('words are as a shell takes them', () => {
  expect(["it's", 'a b', 'a/b-1.yaml'].map(inShell)).toEqual(["'it'\\''s'", "'a b'", 'a/b-1.yaml']);
});
