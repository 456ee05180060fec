import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { touchstone } from '../../../kernel/cli/program.ts';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { loadTarget } from '../../../kernel/targets/load.ts';
import { type MemoryTerminal, memoryTerminal } from '../../../kernel/terminal/testing-terminal.ts';
import { type ReferenceGateway, startReference } from '../../../reference/index.ts';
import { temporaryFolder } from '../../../testing.ts';

/** A gateway with the publishers' own names, and one with others that only its errors tell. */
const real = { vendorA: 'anthropic', vendorB: 'goog' };
const odd = { vendorA: 'acme', vendorB: 'zeta' };
const folder = temporaryFolder();
const gateways = new Map<object, ReferenceGateway>();

for (const names of [real, odd]) gateways.set(names, await startReference({ names }));
const environment = { TOUCHSTONE_KEY: of(real).keys.owner };
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.close();
});

function of(names: object): ReferenceGateway {
  const gateway = gateways.get(names);
  if (gateway === undefined) throw new Error('There is no such gateway');
  return gateway;
}

function addressOf(names: object): string {
  return of(names).regions[0]?.baseUrl ?? '';
}

const call = (...line: string[]) => inProcess(line, environment, folder);

describe('the names in headers are found', () => {
  test.each([
    ['the publishers’ own', real],
    ['such as only errors tell', odd],
  ])('%s', async (_, names) => {
    const out = join(folder, `${names.vendorA}.yaml`);
    const { code, out: said } = await call('init', '--base-url', addressOf(names), '--out', out);
    expect(code).toBe(0);
    const target = loadTarget(out, environment);
    expect(target.names).toEqual(names);
    const messages = target.models.find(({ id }) => id === 'ts-messages');
    expect(messages).toMatchObject({ protocols: ['messages'], supports: ['count_tokens'] });
    expect(target.models.find(({ id }) => id === 'ts-generative')?.protocols).toEqual([
      'generative',
    ]);
    expect(said).not.toContain('does not take the key');
    expect(said).toMatch(/vendorA-messages {6}✓/);
    const lines = said.replaceAll(folder, '.').split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  test('a name that is given is not replaced, and said to be refused', async () => {
    const out = join(folder, 'given.yaml');
    const { out: said } = await call(
      ...['init', '--base-url', addressOf(real), '--vendor-a', 'wrong', '--model', 'ts-messages'],
      ...['--out', out],
    );
    expect(loadTarget(out, environment).names.vendorA).toBe('wrong');
    expect(said).toContain('Messages does not take the key as it was sent, with wrong-version');
    expect(said).toContain('--vendor-a NAME');
  });
});

test('the file names its schema and its gateway, has no long line, and permits the owner', async () => {
  const out = join(folder, 'touchstone.yaml');
  await call('init', '--base-url', addressOf(real), '--out', out, '--models', '2');
  const text = readFileSync(out, 'utf8');
  expect(text).toMatch(/^# yaml-language-server: \$schema=.*fixtures\/target\.schema\.json\n/);
  expect(text).toContain('name: local gateway\n');
  expect(text).toContain('  # Also listed, not looked at (7):\n  # ts-responses, ts-messages');
  const [, ...lines] = text.split('\n');
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  expect(text).not.toContain('permitted: []');
});

describe('with --generate', () => {
  const out = join(folder, 'all.yaml');

  test('every capability is tried, at a cost that is said first', async () => {
    const { err, out: said } = await call(
      ...['init', '--base-url', addressOf(real), '--out', out, '--generate'],
      ...['--model', 'ts-omni', '--model', 'ts-plain', '--model', 'ts-chat'],
    );
    const [, most] = /^Trying every capability: (\d+) short generations at most/.exec(err) ?? [];
    const [, used] = /Asked for (\d+) generations\./.exec(err) ?? [];
    expect(Number(used)).toBeGreaterThan(30);
    expect(Number(used)).toBeLessThanOrEqual(Number(most));
    const { models } = loadTarget(out, environment);
    for (const { id, supports, lacks } of models) {
      const truth = of(real).models.find((model) => model.id === id);
      expect(supports.map((name) => name.split(':')[0]).sort()).toEqual(
        expect.arrayContaining([...(truth?.supports ?? [])].sort()),
      );
      if (id === 'ts-plain') expect(lacks).toContain('background');
    }
    expect(readFileSync(out, 'utf8')).not.toContain('Declare under');
    expect(said).toMatch(/ {2}websocket {13}✓ {2}✗ {2}·/);
  });

  test('a budget is kept, and what it leaves out is said', async () => {
    const some = join(folder, 'some.yaml');
    const { err, out: said } = await call(
      ...['init', '--base-url', addressOf(real), '--out', some, '--generations', '10'],
      ...['--model', 'ts-omni'],
    );
    expect(err).toMatch(/Trying every capability: 10 short generations at most of the \d+/);
    expect(err).toMatch(/Asked for (10|9) generations\./);
    expect(said).toContain('what the budget left out, of ts-omni');
    expect(loadTarget(some, environment).models[0]?.supports).toContain('stream:responses');
  });
});

describe('on a terminal', () => {
  /** Types these lines, each when it is asked for. */
  async function typing(answers: readonly string[], ...line: string[]) {
    const memory = memoryTerminal(environment, folder);
    let asked = 0;
    const stdout = {
      isTTY: true,
      columns: 80,
      write(text: string) {
        memory.stdout.write(text);
        if (!/[?.:\]] $/.test(text)) return;
        const answer = answers[asked++] ?? '';
        // Terminals echo what is typed.
        memory.stdout.write(`${answer}\n`);
        setImmediate(() => memory.type(answer));
      },
    };
    const terminal: MemoryTerminal = { ...memory, stdout };
    const code = await touchstone(line, terminal);
    return { code, asked, ...memory.written };
  }

  test('it asks for the address, the models, and whether to spend generations', async () => {
    const out = join(folder, 'typed.yaml');
    const {
      code,
      asked,
      out: whole,
    } = await typing([addressOf(real), 'none', '6,1', 'y'], ...['init', '--out', out]);
    const said = whole.replaceAll(folder, '.');
    expect(said).toContain('The gateway lists 9 models:\n    1  ts-omni\n');
    expect(said).toContain('Numbers from 1 to 9');
    expect(said).toMatch(/Trying the rest costs \d+ short/);
    expect(said).toContain('1  a second region');
    expect(asked).toBe(5);
    expect(code).toBe(0);
    const { models } = loadTarget(out, environment);
    expect(models.map(({ id }) => id)).toEqual(['ts-chat', 'ts-omni']);
    expect(models[1]?.supports).toContain('background');
    expect(said.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('--yes asks nothing, and neither does a pipe', async () => {
    const out = join(folder, 'yes.yaml');
    const line = ['init', '--base-url', addressOf(real), '--out', out, '--models', '2', '--yes'];
    const { asked, code } = await typing([], ...line);
    expect({ asked, code }).toEqual({ asked: 0, code: 0 });
  });
});

// The steps depend on each other, so they must not be shuffled.
describe('init --update', { shuffle: false }, () => {
  const file = join(folder, 'update.yaml');

  test('adds what a run has seen, and nothing else, without a request', async () => {
    await call('init', '--base-url', addressOf(real), '--out', file, '--model', 'ts-omni');
    const before = readFileSync(file, 'utf8');
    const requests = of(real).requestCount();
    const terminal = memoryTerminal({}, folder);
    const line = ['init', '--update', file, '--supports', 'ts-omni=background,stream:chat'];
    expect(await touchstone(line, terminal)).toBe(0);
    expect(terminal.written.out).toBe(`${file}: ts-omni supports background, stream:chat\n`);
    expect(of(real).requestCount()).toBe(requests);
    expect(loadTarget(file, environment).models[0]?.supports).toContain('background');
    const changed = readFileSync(file, 'utf8')
      .split('\n')
      .filter((one) => !before.includes(one));
    expect(changed).toHaveLength(2);
  });

  test('looks at the gateway, and adds what the file does not say', async () => {
    const { code, out } = await call('init', '--update', file, '--generations', '20');
    expect(code).toBe(0);
    expect(out).toContain(`${file}: ts-omni supports `);
    const { models } = loadTarget(file, environment);
    expect(models[0]?.supports).toEqual(expect.arrayContaining(['websocket', 'compact', 'tools']));
  });

  test.each([
    [['--supports', 'm=tools'], '--supports goes with --update FILE'],
    [['--update', file, '--supports', 'nobody=tools'], 'has no such model'],
    [['--update', file, '--supports', 'ts-omni=toools'], '"toools" is not a capability'],
    [['--update', file, '--supports', 'tools'], 'Expected MODEL=NAMES'],
    [['--update', file, '--out', 'x.yaml'], 'it takes no --out'],
    [['--update', join(folder, 'missing.yaml')], 'There is no such file'],
  ])('%j is wrong usage', async (line, said) => {
    const { code, err } = await call('init', ...line);
    expect(err).toContain(said);
    expect(code).toBe(3);
  });
});
