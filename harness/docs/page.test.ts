import { expect, test } from 'vitest';
import { renew } from './page.ts';

const sections = { fruit: () => 'pears', colours: () => '- red' };
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
