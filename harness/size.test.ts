import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCatalogue, sides } from './kernel/core/index.ts';
import { packageRoot } from './kernel/core/package-root.ts';
import { isTest, roomOf, sourcesOf } from './testing.ts';

/** Lines of code that a room may have, by its folder; `tests` is the sum of all tests. Budgets only fall. */
const budgets = new Map(
  readFileSync(join(packageRoot, 'harness/size-budget.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [room = '', lines] = line.split(' ');
      return [room, Number(lines)] as const;
    }),
);

/** Lines of code for each check of the catalogue, at most. */
const mostLinesPerCheck = 94;

const sizes = new Map<string, number>();
for (const [path, source] of sourcesOf('harness', 'suites')) {
  const [top = ''] = path.split('/');
  const room = isTest(path) ? 'tests' : top === 'suites' ? top : (roomOf(path) ?? top);
  sizes.set(room, (sizes.get(room) ?? 0) + source.split('\n').length - 1);
}

test('a room is no larger than its budget', () => {
  const over = [...sizes].flatMap(([room, lines]) =>
    lines <= (budgets.get(room) ?? 0)
      ? []
      : [`${room}: ${lines} lines, budget ${budgets.get(room)}`],
  );
  expect(over).toEqual([]);
});

test('a budget belongs to a room, and is lowered when the room gets smaller', () => {
  const loose = [...budgets].filter(([room, most]) => most > (sizes.get(room) ?? 0) * 1.05);
  expect(loose).toEqual([]);
});

test('a check takes no more lines of code than before', () => {
  const code = [...sizes].reduce((sum, [room, lines]) => sum + (room === 'tests' ? 0 : lines), 0);
  const ids = sides.flatMap((side) => loadCatalogue(side).checks.map(({ id }) => id));
  const checks = new Set(ids).size;
  expect(code / checks).toBeLessThanOrEqual(mostLinesPerCheck);
});
