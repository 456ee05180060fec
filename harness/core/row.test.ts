import { describe, expect, test } from 'vitest';
import { type Axes, parseAxes, parseRequirement } from './row.ts';

const axes: Axes = { colour: ['red', 'blue'], size: ['small', 'large'] };
const row = { id: 'suite/area.rule', level: 'MUST', text: 'It holds.', spec: 'Endpoints' };

/** Values and levels of a row with these fields, as `value LEVEL`. */
function axisOf(fields: Record<string, unknown>): string[] {
  const { axis } = parseRequirement({ ...row, ...fields }, axes, 'a.yaml, row 1');
  return (axis ?? []).map(({ value, level }) => `${value} ${level}`);
}

describe('a row', () => {
  test('without an axis is run once', () => {
    expect(parseRequirement({ ...row, text: '  It holds.\n' }, axes, 'a.yaml, row 1')).toEqual({
      id: 'suite/area.rule',
      level: 'MUST',
      text: 'It holds.',
      source: { authority: 'spec', section: 'Endpoints' },
      axis: null,
      unchecked: null,
    });
  });

  test('has a reason where it cannot have a check', () => {
    const { unchecked } = parseRequirement({ ...row, unchecked: 'Nobody sees it.' }, axes, 'here');
    expect(unchecked).toBe('Nobody sees it.');
  });

  test('is run for a named axis, or for values of its own', () => {
    expect(axisOf({ axis: 'colour' })).toEqual(['red MUST', 'blue MUST']);
    expect(axisOf({ axis: ['green', 'count_tokens', '429'] })).toEqual([
      'green MUST',
      'count_tokens MUST',
      '429 MUST',
    ]);
  });

  test('is run for the products of two axes', () => {
    expect(axisOf({ axis: 'colour', by: 'size' })).toEqual([
      'red.small MUST',
      'red.large MUST',
      'blue.small MUST',
      'blue.large MUST',
    ]);
  });

  test('leaves out values, products and halves of products', () => {
    expect(axisOf({ axis: 'colour', except: ['red'] })).toEqual(['blue MUST']);
    expect(axisOf({ axis: 'colour', by: 'size', except: ['red', 'blue.small'] })).toEqual([
      'blue.large MUST',
    ]);
  });

  test('gives values levels of their own; a whole product outweighs its half', () => {
    expect(
      axisOf({ axis: 'colour', by: 'size', levels: { red: 'SHOULD', 'red.large': 'MAY' } }),
    ).toEqual(['red.small SHOULD', 'red.large MAY', 'blue.small MUST', 'blue.large MUST']);
  });
});

describe('a row that breaks the rules is refused, with its place and what was expected', () => {
  test.each([
    ['no map', 'text', 'a.yaml, row 7: expected a requirement'],
    ['no id', { ...row, id: undefined }, 'a.yaml, row 7: "id" is missing'],
    ['an id without an area', { ...row, id: 'suite/rule' }, '<suite>/<area>.<rule>'],
    ['an id in capitals', { ...row, id: 'suite/area.Rule' }, 'kebab case'],
    ['no text', { ...row, text: ' ' }, '(suite/area.rule): "text" is missing or no text'],
    ['no level', { ...row, level: undefined }, 'expected one of MUST, SHOULD, MAY'],
    ['a bad level', { ...row, level: 'must' }, 'the level is must, expected one of MUST'],
    ['an unknown field', { ...row, levle: 'MUST' }, 'unknown field "levle", expected id, level'],
    ['no source', { ...row, spec: undefined }, 'name exactly one source: spec, native, project'],
    ['two sources', { ...row, native: 'Models API' }, 'name exactly one source'],
    ['an empty source', { ...row, spec: '' }, '"spec" is missing or no text'],
    [
      'a MUST of our own',
      { ...row, spec: undefined, project: 'It is nice.' },
      'our own judgement cannot carry a MUST',
    ],
    [
      'an unknown axis',
      { ...row, axis: 'shape' },
      'no axis "shape" in axes.yaml, only colour, size',
    ],
    ['an axis that is no list', { ...row, axis: 3 }, 'expected a list of values'],
    ['a value that is no text', { ...row, axis: [429] }, 'expected text, got 429: quote it'],
    ['a value in capitals', { ...row, axis: ['vendorB'] }, '"vendorB" is no axis value'],
    ['a value twice', { ...row, axis: ['red', 'red'] }, '"red" stands twice'],
    ['levels without an axis', { ...row, levels: { red: 'MAY' } }, '"levels" without an "axis"'],
    ['levels that are no map', { ...row, axis: 'colour', levels: ['red'] }, '"levels" is a map'],
    [
      'a level for no value',
      { ...row, axis: 'colour', levels: { green: 'MAY' } },
      '"green" is no value of its axis (red, blue)',
    ],
    [
      'a bad level for a value',
      { ...row, axis: 'colour', levels: { red: 'NEVER' } },
      'the level is NEVER',
    ],
    ['an exception that is no value', { ...row, axis: 'colour', except: ['x'] }, '"x" is no value'],
    ['an empty reason', { ...row, unchecked: '' }, '"unchecked" is missing or no text'],
  ])('%s', (_, value, said) => {
    expect(() => parseRequirement(value, axes, 'a.yaml, row 7')).toThrow(said);
  });
});

describe('axes', () => {
  test('are named lists', () => {
    expect(parseAxes({ colour: ['red'] })).toEqual({ colour: ['red'] });
  });

  test.each([
    ['no map', ['red'], 'axes.yaml: expected a map of named lists'],
    ['no list', { colour: { red: 1 } }, 'axes.yaml, colour: expected a list'],
    ['a bad value', { colour: ['Red'] }, 'axes.yaml, colour: "Red" is no axis value'],
    ['the name of another', { colour: 'size' }, 'axes.yaml, colour: there is no axis "size"'],
  ])('%s is refused', (_, value, said) => {
    expect(() => parseAxes(value)).toThrow(said);
  });
});
