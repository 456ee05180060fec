import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { drawTerminal } from './terminal-picture.ts';

const { bold, red, dim, bgGreen, black, cyan } = createColors(true);

/** The texts of a picture, each with its look, column and line. */
function textsIn(screen: string, width = 20): string[] {
  const drawn = drawTerminal(screen, { title: 'A run', width });
  return [
    ...drawn.matchAll(
      /<text(?: class="(.*?)")? x="(.*?)" y="(.*?)" textLength="(.*?)">(.*?)<\/text>/g,
    ),
  ].map(([, look = 'plain', x, y, length, text]) => {
    const place = `${(Number(x) - 20) / 8},${(Number(y) - 33) / 18}`;
    return `${look} ${place} ${Number(length) / 8}: ${text}`;
  });
}

test('every piece stands in its column, with its look', () => {
  expect(textsIn(`a ${red('✗')} ${bold('id')}\n\n  ${dim('why')}`)).toEqual([
    'plain 0,0 1: a',
    'red 2,0 1: ✗',
    'bold 4,0 2: id',
    'dim 2,2 3: why',
  ]);
});

test('a line that is too long goes on in the next one', () => {
  expect(textsIn(`12${red('3456789')}\nx`, 4)).toEqual([
    'plain 0,0 2: 12',
    'red 2,0 2: 34',
    'red 0,1 4: 5678',
    'red 0,2 1: 9',
    'plain 0,3 1: x',
  ]);
});

test('a background is as wide as its text with its spaces', () => {
  const drawn = drawTerminal(bgGreen(black('  OK  ')), { title: 'A run', width: 20 });
  expect(drawn).toContain('<rect class="on-green" x="20" y="20" width="48"');
  expect(drawn).toContain('<text class="black" x="36"');
});

test('text is text, and no markup', () => {
  expect(textsIn('a <b> "&"')).toEqual(['plain 0,0 9: a &lt;b&gt; &quot;&amp;&quot;']);
});

test('a look that the picture does not have is said', () => {
  expect(() => drawTerminal(cyan('x'), { title: 'A run', width: 20 })).toThrow(
    'no look for "cyan"',
  );
});
