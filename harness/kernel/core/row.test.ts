import { describe, expect, test } from 'vitest';
import type { Citation } from './requirement.ts';
import { type Axes, parseAxes, parseRequirement } from './row.ts';

const axes: Axes = { colour: ['red', 'blue'], size: ['small', 'large'] };
const citation = (id: string, kind: Citation['kind']): Citation => ({
  id,
  kind,
  text: id,
  link: id,
});
const clause = citation('AUTH-1', 'clause');
const gap = citation('AUTH-GAP-1', 'gap');
const [page, guide] = [citation('page', 'document'), citation('guide', 'document')];
const citations = new Map([clause, gap, page, guide].map((entry) => [entry.id, entry]));
const row = { id: 'suite/area.rule', level: 'MUST', text: 'It holds.', clauses: ['AUTH-1'] };

/** Values and levels of a row with these fields, as `value LEVEL`. */
function axisOf(fields: Record<string, unknown>): string[] {
  const { axis } = parseRequirement({ ...row, ...fields }, axes, citations, 'a.yaml, row 1');
  return (axis ?? []).map(({ value, level }) => `${value} ${level}`);
}

describe('a row', () => {
  test('without an axis is run once', () => {
    expect(
      parseRequirement({ ...row, text: '  It holds.\n' }, axes, citations, 'a.yaml, row 1'),
    ).toEqual({
      id: 'suite/area.rule',
      level: 'MUST',
      text: 'It holds.',
      basis: { citations: [clause], judgement: null },
      axis: null,
      inEachRegion: false,
      judges: 'gateway',
      unchecked: null,
    });
  });

  test('has a reason where it cannot have a check', () => {
    const { unchecked } = parseRequirement(
      { ...row, unchecked: 'Nobody sees it.' },
      axes,
      citations,
      'here',
    );
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

describe('what is judged in each region', () => {
  const read = (fields: Record<string, unknown>) =>
    parseRequirement({ ...row, ...fields }, axes, citations, 'a.yaml, row 1');
  const values = (fields: Record<string, unknown>) =>
    (read(fields).axis ?? []).flatMap(({ value, inEachRegion }) => (inEachRegion ? value : []));

  test('is a whole row, or some of its values', () => {
    expect(read({ 'each-region': true }).inEachRegion).toBe(true);
    expect(values({ axis: 'colour' })).toEqual([]);
    expect(values({ axis: 'colour', 'each-region': true })).toEqual(['red', 'blue']);
    expect(values({ axis: 'colour', by: 'size', 'each-region': ['red', 'blue.large'] })).toEqual([
      'red.small',
      'red.large',
      'blue.large',
    ]);
  });

  test('has to be there', () => {
    expect(() => read({ axis: 'colour', 'each-region': ['green'] })).toThrow('"green" is not a');
    expect(() => read({ 'each-region': ['red'] })).toThrow('"each-region" can only be true');
  });
});

describe('what a row rests on', () => {
  const citedBy = (fields: Record<string, unknown>): (string | null)[][] => {
    const { axis, basis } = parseRequirement({ ...row, ...fields }, axes, citations, 'here');
    const cited = axis ?? [{ value: null, citations: basis.citations }];
    return cited.map(({ value, citations: own }) => [value, ...own.map(({ id }) => id)]);
  };

  test('clauses, documents, and our own judgement beside them', () => {
    const fields = { level: 'SHOULD', sources: ['page'], project: ' It is nice.\n' };
    const { basis } = parseRequirement({ ...row, ...fields }, axes, citations, 'here');
    expect(basis).toEqual({ citations: [clause, page], judgement: 'It is nice.' });
  });

  test('the same documents for every value, or some for each', () => {
    expect(citedBy({ axis: 'colour', sources: ['page'] })).toEqual([
      ['red', 'AUTH-1', 'page'],
      ['blue', 'AUTH-1', 'page'],
    ]);
    expect(citedBy({ axis: 'colour', sources: { red: ['page'], blue: ['guide'] } })).toEqual([
      ['red', 'AUTH-1', 'page'],
      ['blue', 'AUTH-1', 'guide'],
    ]);
    expect(
      citedBy({
        axis: 'colour',
        by: 'size',
        except: ['blue.small'],
        sources: { red: ['page'], 'red.large': ['guide'], blue: ['guide', 'page'] },
      }),
    ).toEqual([
      ['red.small', 'AUTH-1', 'page'],
      ['red.large', 'AUTH-1', 'guide'],
      ['blue.large', 'AUTH-1', 'guide', 'page'],
    ]);
  });
});

describe('a row that breaks the rules is refused, with its place and what was expected', () => {
  test.each([
    ['no map', 'text', 'a.yaml, row 7: expected a requirement'],
    ['no id', { ...row, id: undefined }, 'a.yaml, row 7: "id" is missing'],
    ['an id without an area', { ...row, id: 'suite/rule' }, '<suite>/<area>.<rule>'],
    ['an id in capitals', { ...row, id: 'suite/area.Rule' }, 'kebab case'],
    ['no text', { ...row, text: ' ' }, '(suite/area.rule): "text" is missing or not text'],
    ['no level', { ...row, level: undefined }, 'expected one of MUST, SHOULD, MAY'],
    ['a bad level', { ...row, level: 'must' }, 'the level is must, expected one of MUST'],
    ['an unknown field', { ...row, levle: 'MUST' }, 'unknown field "levle", expected id, level'],
    ['nothing to rest on', { ...row, clauses: undefined }, 'say what it rests on'],
    ['a clause that is not there', { ...row, clauses: ['AUTH-2'] }, 'not in specification.md'],
    ['a document that is not there', { ...row, sources: ['paper'] }, 'not in sources.yaml'],
    ['a document among clauses', { ...row, clauses: ['page'] }, '"page" of "clauses"'],
    ['a clause among documents', { ...row, sources: ['AUTH-1'] }, '"AUTH-1" of "sources"'],
    [
      'sources by value without an axis',
      { ...row, sources: { red: ['page'] } },
      'without an "axis"',
    ],
    [
      'sources for no value',
      { ...row, axis: 'colour', sources: { red: ['page'], green: ['page'] } },
      '"green" is not a value',
    ],
    [
      'a value without a source',
      { ...row, axis: 'colour', sources: { red: ['page'] } },
      '"sources" has nothing for blue',
    ],
    [
      'a MUST of our own',
      { ...row, clauses: undefined, project: 'It is nice.' },
      'cannot carry a MUST',
    ],
    ['a MUST on a gap', { ...row, clauses: ['AUTH-GAP-1'] }, 'a gap cannot carry a MUST'],
    [
      'a MUST on a gap, for one value',
      { ...row, clauses: ['AUTH-GAP-1'], axis: 'colour', sources: { red: ['page'], blue: [] } },
      '(suite/area.rule), blue: our own judgement or a gap',
    ],
    [
      'an unknown axis',
      { ...row, axis: 'shape' },
      'no axis "shape" in axes.yaml, only colour, size',
    ],
    ['an axis that is no list', { ...row, axis: 3 }, 'expected a list of values'],
    ['a value that is no text', { ...row, axis: [429] }, 'expected text, got 429: quote it'],
    ['a value in capitals', { ...row, axis: ['vendorB'] }, '"vendorB" is not an axis value'],
    ['a value twice', { ...row, axis: ['red', 'red'] }, '"red" stands twice'],
    ['levels without an axis', { ...row, levels: { red: 'MAY' } }, '"levels" without an "axis"'],
    ['levels that are no map', { ...row, axis: 'colour', levels: ['red'] }, '"levels" is a map'],
    [
      'a level for no value',
      { ...row, axis: 'colour', levels: { green: 'MAY' } },
      '"green" is not a value of its axis (red, blue)',
    ],
    [
      'a bad level for a value',
      { ...row, axis: 'colour', levels: { red: 'NEVER' } },
      'the level is NEVER',
    ],
    [
      'an exception that is not a value',
      { ...row, axis: 'colour', except: ['x'] },
      '"x" is not a value',
    ],
    ['an empty reason', { ...row, unchecked: '' }, '"unchecked" is missing or not text'],
  ])('%s', (_, value, said) => {
    expect(() => parseRequirement(value, axes, citations, 'a.yaml, row 7')).toThrow(said);
  });
});

describe('axes', () => {
  test('are named lists', () => {
    expect(parseAxes({ colour: ['red'] })).toEqual({ colour: ['red'] });
  });

  test.each([
    ['no map', ['red'], 'axes.yaml: expected a map of named lists'],
    ['no list', { colour: { red: 1 } }, 'axes.yaml, colour: expected a list'],
    ['a bad value', { colour: ['Red'] }, 'axes.yaml, colour: "Red" is not an axis value'],
    ['the name of another', { colour: 'size' }, 'axes.yaml, colour: there is no axis "size"'],
  ])('%s is refused', (_, value, said) => {
    expect(() => parseAxes(value)).toThrow(said);
  });
});
