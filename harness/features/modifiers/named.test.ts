import { expect, test } from 'vitest';
import { isTest, sourcesOf } from '../../testing.ts';
import { modifiers } from './index.ts';

const flags = modifiers.flatMap(({ options }) =>
  Object.values(options).map((option) => /--[a-z-]+/.exec(option.flags)?.[0] ?? ''),
);

test.each(flags)('%s is named in six files at most', (flag) => {
  const named = new RegExp(`(?<![\\w-])${flag}(?![\\w-])`);
  const naming = [...sourcesOf('harness', 'suites')].filter(
    ([path, source]) => !isTest(path) && named.test(source),
  );
  expect(naming.length).toBeGreaterThan(0);
  expect(naming.length).toBeLessThanOrEqual(6);
});
