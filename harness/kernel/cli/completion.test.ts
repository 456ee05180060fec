import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { commandLine, touchstone } from './program.ts';

/** Asks each shell itself for the completions that it offers. */
const folder = temporaryFolder();

async function scriptFor(shell: string): Promise<string> {
  const terminal = memoryTerminal();
  expect(await touchstone(['completion', shell], terminal)).toBe(0);
  const file = join(folder, shell);
  writeFileSync(file, terminal.written.out);
  return file;
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

/** Asks bash as readline does: with the words split at its word breaks. */
function inBash(file: string, line: string): string[] {
  const words = line.split(/(?<=[\s@:=])|(?=[@:=])/).filter((word) => word.trim() !== '');
  const typed = words.map((word) => word.trim());
  if (/\s$/.test(line)) typed.push('');
  const current = /[@:=]$/.test(line) ? '' : (typed.at(-1) ?? '');
  const ask = `
    source "$1"; COMP_LINE=$2 COMP_POINT=\${#2} current=$3; shift 3; COMP_WORDS=("$@")
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _touchstone touchstone "$current" ""
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--noprofile', '--norc', '-c', ask, 'bash', file, line, current, ...typed];
  return execFileSync('bash', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const { commands } = await commandLine(memoryTerminal(), () => {});

describe('bash', async () => {
  const file = await scriptFor('bash');

  test('every command, and every option of each', () => {
    expect(inBash(file, 'touchstone ')).toEqual(commands.map((command) => command.name()));
    for (const command of commands.filter((one) => ['run', 'diff'].includes(one.name()))) {
      const options = command.options.map(({ long }) => long);
      expect(inBash(file, `touchstone ${command.name()} --`)).toEqual([...options, '--help']);
    }
  });

  test.each([
    ['run --reference c', ['container']],
    ['run --reference=c', ['container']],
    ['run --strict storage/deletion.removes', ['storage/deletion.removes-events']],
    ['run @mess', ['messages']],
    ['run @sys', ['systemone']],
    ['client client/retr', [expect.stringMatching(/^client\/retr/)]],
    ['client --adapter openai -- nod', []],
    ['run --seed ', []],
    ['run --target ', []],
    ['completion f', ['fish']],
  ])('%s', (typed, offered) => {
    const found = inBash(file, `touchstone ${typed}`);
    expect(found.slice(0, Math.max(1, offered.length))).toEqual(offered);
  });
});

describe.runIf(has('fish'))('fish', async () => {
  const file = await scriptFor('fish');
  const inFish = (line: string): string[] =>
    execFileSync(
      'fish',
      ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, line],
      { encoding: 'utf8' },
    )
      .split('\n')
      .map((found) => found.replace(/\t.*/, ''))
      .filter(Boolean);

  test('commands, options, values and ids', () => {
    expect(inFish('touchstone ').sort()).toEqual(commands.map((one) => one.name()).sort());
    expect(inFish('touchstone run --ref')).toEqual(['--reference']);
    expect(inFish('touchstone run --reference c')).toEqual(['container']);
    expect(inFish('gateway-touchstone run @mess')).toEqual(['@messages']);
  });
});

describe.runIf(has('zsh'))('zsh', async () => {
  const file = await scriptFor('zsh');
  const inZsh = (...words: string[]): string[] =>
    // Replaces zsh's own functions, so that they print the completions.
    execFileSync(
      'zsh',
      [
        '-fc',
        `compadd() { shift; print -l -- "$@" }; _files() { print FILES }; _message() { print VALUE }
        _describe() { print -l -- \${found%%:*} }
        source $1; shift; words=("$@"); CURRENT=$#words; PREFIX=$words[-1]; _touchstone`,
        'zsh',
        file,
        ...words,
      ],
      { encoding: 'utf8' },
    )
      .split('\n')
      .filter(Boolean);

  test('commands, options, values and ids', () => {
    expect(inZsh('touchstone', '')).toEqual(commands.map((one) => one.name()));
    expect(inZsh('touchstone', 'run', '--')).toContain('--target');
    expect(inZsh('touchstone', 'run', '--reference', '')).toEqual(['embedded', 'container']);
    expect(inZsh('touchstone', 'run', '--target', '')).toEqual(['FILES']);
    expect(inZsh('touchstone', 'run', 'storage/')).toContain('storage/deletion.served');
    expect(inZsh('touchstone', 'client', '--', 'nod')).toEqual(['FILES']);
  });
});
