import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { memoryTerminal } from '../../kernel/terminal/testing-terminal.ts';
import { type Observing, observingBlock, showObserving } from './observing.ts';

const now: Observing = {
  requests: 42,
  generations: 40,
  others: 2,
  underWay: 1,
  operations: new Map([
    [
      'responses.stream',
      new Map([
        ['200', 39],
        ['200 cut', 1],
      ]),
    ],
    ['models.list', new Map([['401', 2]])],
  ]),
  wrong: [
    {
      id: 'generation/responses-stream.one-terminal-last',
      level: 'MUST',
      exchanges: 3,
      actual: `two terminal events\n${'漢字'.repeat(60)}`,
      exchange: 'observed#eu/000007',
    },
  ],
};

const options = { colour: false, columns: 80, rows: 24, elapsedMs: 34_000 };

test('what came, what is wrong, and counts', () => {
  const lines = observingBlock(now, options);
  expect(lines.map((line) => line.replace(/漢.*/, '…'))).toEqual([
    '  responses.stream     40   200 ×39, 200 cut',
    '  models.list           2   401 ×2',
    '  other paths           2',
    '✗ MUST generation/responses-stream.one-terminal-last, in 3 exchanges',
    '    observed#eu/000007: two terminal events …',
    '44 requests · 40 generations · 1 under way · 1 check broken · 34 s',
  ]);
});

test.each([
  [80, 24],
  [40, 6],
  [20, 3],
])('fits a terminal of %i columns and %i rows', (columns, rows) => {
  const wrong = Array.from({ length: 30 }, () => now.wrong).flat();
  const lines = observingBlock({ ...now, wrong }, { ...options, columns, rows });
  expect(lines.length).toBeLessThanOrEqual(rows);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThan(columns);
    expect(line).not.toContain('\n');
  }
});

test('where nobody looks on, each broken check is told once', () => {
  const terminal = memoryTerminal();
  const display = showObserving(terminal.stderr, { environment: {}, colour: true });
  display.update(now);
  display.update(now);
  display.end();
  expect(terminal.written.err.match(/one-terminal-last/g)).toHaveLength(1);
});
