import { readFileSync } from 'node:fs';
import type { Option } from 'commander';
import { expect, test } from 'vitest';
import { fixture } from '../core/package-root.ts';
import { readTarget } from '../targets/load.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { challenge } from './options/challenge-option.ts';
import { commandLine } from './program.ts';
import { inProcess } from './testing.ts';

const { commands } = await commandLine(memoryTerminal(), () => {});

/** Message of the parser of an option for a value; null if it takes it. */
function refusal({ parseArg }: Option, value: string): string | null {
  try {
    parseArg?.(value, undefined);
    return null;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return said.startsWith('It is given twice') ? null : said;
  }
}

const range = /\bfrom (\d+(?:\.\d+)?\w*) to (\d+(?:\.\d+)?\w*)/;
const numeric = commands.flatMap((command) =>
  command.options.flatMap((option) => {
    const [, least = '', most = ''] = range.exec(refusal(option, '~') ?? '') ?? [];
    return most === '' ? [] : [{ name: command.name(), option, least, most }];
  }),
);

const nowhere = ['NaN', 'Infinity', '1e308', '-0', '-1', '0x10', '1_000', '', ' ', ' 5', '5,0'];

test('each option whose value is a number has bounds at both ends', () => {
  expect(numeric.length).toBeGreaterThan(50);
  const called = /<(?:n|ms|s|seconds|part|rate|rounds|port|time|i\/n)>/;
  const unbounded = commands.flatMap((command) =>
    command.options.filter(
      (option) => called.test(option.flags) && !numeric.some((one) => one.option === option),
    ),
  );
  expect(unbounded.map(({ flags }) => flags)).toEqual([]);
});

test.each(numeric)('$name $option.long takes $least to $most, and nothing else', async (one) => {
  const { name, option, least, most } = one;
  const isPart = option.flags.includes('<i/n>');
  const written = (value: string): string => (isPart ? `1/${value}` : value);
  for (const end of [least, most]) expect(refusal(option, written(end)), end).toBeNull();
  const [, digits = '', unit = ''] = /^([\d.]+)(\w*)$/.exec(most) ?? [];
  const beyond = [
    `${Number(digits) * 1.001 + 1}${unit}`,
    `${Math.trunc(Number(digits)) + 1}${unit}`,
  ];
  if (Number.parseFloat(least) > 0) beyond.push('0', `0${unit}`);
  for (const value of [...beyond, '9'.repeat(400), `${'9'.repeat(400)}${unit}`, ...nowhere]) {
    expect(refusal(option, written(value)), value).toMatch(range);
  }
  const { code, err } = await inProcess(`${name} ${option.long}=${written('99999999999')}`);
  expect(err).toMatch(range);
  expect(code).toBe(3);
});

interface Schema {
  readonly type?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Schemas of numbers within a schema, by their paths. */
function numbersIn(schema: object, path = ''): [string, Schema][] {
  const { type }: Schema = schema;
  const isNumber = [type].flat().some((one) => one === 'integer' || one === 'number');
  const inner = Object.entries(schema).flatMap(([name, one]) =>
    typeof one === 'object' && one !== null ? numbersIn(one, `${path}.${name}`) : [],
  );
  return isNumber ? [[path, schema], ...inner] : inner;
}

const schemaOf = (name: string) =>
  numbersIn(JSON.parse(readFileSync(fixture(`${name}.schema.json`), 'utf8')));

test.each(['target', 'script', 'policy'])('each number of a %s has bounds at both ends', (name) => {
  const open = schemaOf(name).filter(([, one]) => !('minimum' in one) || !('maximum' in one));
  expect(open).toEqual([]);
});

const file =
  '{ singleRegion: true, regions: [{ name: eu, baseUrl: https://a.example }], keys: none, models: [{ id: m, protocols: [responses] }], ';

test.each(schemaOf('target'))(
  '%s of a target file takes what lies within, and nothing else',
  (path, { minimum = 0, maximum = 0 }) => {
    const [field = '', inner] = path
      .split('.')
      .filter((step) => !['', 'properties'].includes(step));
    const problem = (value: string): string => {
      try {
        readTarget(
          `${file}${field}: ${inner === undefined ? value : `{ ${inner}: ${value} }`} }`,
          'a.yaml',
          {},
        );
        return '';
      } catch (error) {
        return String(error);
      }
    };
    for (const end of [minimum, maximum]) expect(problem(`${end}`)).toBe('');
    const told = new RegExp(`expected (?:${minimum} to ${maximum}|a whole number)`);
    for (const value of [minimum - 0.0005, maximum + 1, '1e308', '-1e308', '9'.repeat(30)]) {
      expect(problem(`${value}`), `${value}`).toMatch(told);
    }
    for (const value of ['.nan', '.inf', '-.inf', '"0x10"', '1_000', '" "', '[]', 'true']) {
      expect(problem(value), value).toContain('This is');
    }
    expect(minimum > 0 ? problem('-0') : 'expected').toContain('expected');
  },
);

test.each(['', 'short', 'two lines\nof a challenge', 'x'.repeat(129)])('no challenge: %j', (text) =>
  expect(() => challenge(text)).toThrow('Expected 16 to 128 letters'),
);

test.each(['6f1d9c20b7e84a35', 'Zm9v+/=Zm9vYmFyYmF6'])('a challenge: %s', (text) =>
  expect(challenge(text)).toBe(text),
);
