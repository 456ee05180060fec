import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { commandLine } from './program.ts';
import { inProcess as call } from './testing.ts';

describe('help', async () => {
  const { commands } = await commandLine(memoryTerminal(), () => {});
  const names = commands.map((command) => command.name());
  test.each(['', ...names])('of "%s" ends with examples', async (command) => {
    const { code, out, err } = await call(`${command} --help`);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: touchstone/);
    expect(out).toMatch(/(Examples|Start here):\n {2}\S/);
  });

  test('of run begins with the twelve options of every day', async () => {
    const { out } = await call('run --help');
    const [, first = ''] = /\n\nEveryday:\n(.*?)\n\nWhat to judge:/s.exec(out) ?? [];
    expect(first.match(/^ {2}-/gm)).toHaveLength(12);
  });

  test('the version is that of the package', async () => {
    expect((await call('--version')).out).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('wrong usage exits with 3, sends nothing, and says what to do', () => {
  test.each([
    ['', 'Usage: touchstone'],
    ['runn', "unknown command 'runn'\n(Did you mean run?)"],
    ['prove --variants --shard 9000/9000', 'variants: split them into as many parts at most'],
    ['run --targt x', "unknown option '--targt'\n(Did you mean --target?)"],
    ['run --reference docker', 'Allowed choices are embedded, container.'],
    ['run --target a.yaml --base-url http://h', '--target and --base-url name two targets'],
    ['run --model m', '--model goes with --base-url URL'],
    ['run --target a.yaml --model m', 'that stands in the file: `models`'],
    ['run --target none.yaml', 'There is no such file'],
    ['run --base-url http://h --model m', 'TOUCHSTONE_KEY is not set'],
    ['certify --out x --target a.yaml --target b.yaml', 'Give it once.'],
  ])('%s', async (line, message) => {
    const { code, out, err } = await call(line);
    expect(err).toContain(message);
    expect(code).toBe(3);
    expect(out).toBe('');
  });

  test('an id that is in no catalogue, with the nearest', async () => {
    const { code, err } = await call('run storage/respnses');
    expect(err).toContain(
      'No check id starts with "storage/respnses". Did you mean storage/responses',
    );
    expect(code).toBe(3);
  });

  test('a known failure that does not exist, with its line and the nearest', async () => {
    const file = join(temporaryFolder(), 'known.txt');
    writeFileSync(file, '# why\nstorage/responses.lookup-servd\n');
    const { code, err } = await call(`run --known-failures ${file}`);
    expect(err).toContain(
      `${file}:2: "storage/responses.lookup-servd" is not a check or a requirement. ` +
        'Did you mean storage/responses.lookup-served',
    );
    expect(code).toBe(3);
  });

  test.each([
    ['run --badge one.json --badge two.json', '--badge', 'one.json'],
    // Refused even if the first value is the default.
    ['prove --seed 1 --seed 2', '--seed', '1'],
  ])('%s: the last would silently win', async (line, option, first) => {
    const { code, err } = await call(line);
    expect(err).toContain(`option '${option}`);
    expect(err).toContain(`It is given twice: "${first}" was before. Give it once.`);
    expect(code).toBe(3);
  });

  test('a report that cannot be written is told before the run', async () => {
    const { code, err } = await call(`run --json ${tmpdir()}`);
    expect(err).toContain(`--json ${tmpdir()}: this file cannot be written: it is a folder`);
    expect(code).toBe(3);
  });
});

describe('list', () => {
  test('names requirements, and how many', async () => {
    const { code, out } = await call('list storage/responses');
    expect(code).toBe(0);
    expect(out).toMatch(/^MUST {4}storage\/responses\.lookup-served$/m);
    expect(out).toMatch(/^ {10}RESP-\d+: /m);
    expect(out).toMatch(/\d+ requirements, \d+ checks\n$/);
    expect(out).not.toContain('generation/messages.shape');
  });

  test.each([
    ['background requires store', 'background/runs.needs-store'],
    ['STORE-8', 'background/runs.needs-store'],
  ])('finds by words and by clauses: %s', async (words, id) => {
    const { code, out } = await call(`list ${words}`);
    expect(out).toContain(`MUST    ${id}\n`);
    expect(code).toBe(0);
  });

  test('is JSON for programs', async () => {
    const { out } = await call('list storage/responses.lookup-served --json');
    expect(JSON.parse(out)).toMatchObject([
      { id: 'storage/responses.lookup-served', level: 'MUST' },
    ]);
  });

  test('names what no check can judge', async () => {
    const { out } = await call('list --unchecked');
    expect(out).toContain('no check: ');
    expect(out).toMatch(/ 0 checks\n$/);
  });
});
