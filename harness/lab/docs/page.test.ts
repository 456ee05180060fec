import { describe, expect, test } from 'vitest';
import { type Renewed, renew as renewPage, type Sections, withoutCounts } from './page.ts';

const sections: Sections = { fruit: { make: () => 'pears' }, colours: { make: () => '- red' } };

function renew(text: string, from: Sections): Renewed {
  return renewPage(text, from, { keepCounts: true });
}

const page = [
  'Before.',
  '<!-- generated: fruit -->',
  'apples',
  '<!-- /generated -->',
  'Between, where `<!-- generated: fruit -->` is only spoken of.',
  '<!-- generated: colours -->',
  '<!-- /generated -->',
  'After.',
].join('\n');

test('puts sections between their marks, and leaves the rest', () => {
  const { text, names } = renew(page, sections);
  expect(names).toEqual(['fruit', 'colours']);
  expect(text).toBe(
    [
      'Before.',
      '<!-- generated: fruit -->\n\npears\n\n<!-- /generated -->',
      'Between, where `<!-- generated: fruit -->` is only spoken of.',
      '<!-- generated: colours -->\n\n- red\n\n<!-- /generated -->',
      'After.',
    ].join('\n'),
  );
  expect(renew(text, sections).text).toBe(text);
});

test.each([
  ['<!-- generated: fruit -->', 'does not end'],
  ['<!-- /generated -->', 'ends nothing'],
  ['<!-- generated: fruit -->\n<!-- generated: colours -->', 'still open'],
  ['<!-- generated: meat -->\n<!-- /generated -->', 'only colours, fruit'],
])('%s: %s', (text, problem) => {
  expect(() => renew(text, sections)).toThrow(problem);
});

describe('where only counts differ', () => {
  const old =
    '<!-- generated: stock -->\n\n| fruit | 99 | |\n| --- | -: | -: |\n\n<!-- /generated -->';
  const stock = (row: string, counts = true): Sections => ({
    stock: { make: () => `| ${row} |\n| ----- | --: | -: |`, counts },
  });

  test('a section of counts is kept, and renewed when that is asked for', () => {
    expect(renew(old, stock('fruit | 100 | 1')).text).toBe(old);
    const renewed = renewPage(old, stock('fruit | 100 | 1'), { keepCounts: false });
    expect(renewed.text).toContain('fruit | 100 | 1');
  });

  test.each([
    ['another word', stock('pears | 99 | ')],
    ['another column', stock('fruit | 99 | | 3')],
    ['a section of other numbers', stock('fruit | 100 | 1', false)],
  ])('%s makes it stale', (_, sections) => {
    expect(renew(old, sections).text).not.toBe(old);
  });

  test('texts are compared without them', () => {
    expect(withoutCounts('839 passed,\n7 noted')).toBe(withoutCounts('1044 passed, 12\nnoted'));
    expect(withoutCounts('839 passed')).not.toBe(withoutCounts('839 failed'));
  });
});
