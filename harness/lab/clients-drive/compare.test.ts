import { expect, test } from 'vitest';
import { breaksTable, brokenBy, knownAs } from './compare.ts';

const found = (variant: string | null, call: string) => ({
  variant,
  client: 'openai-6',
  call,
  said: 'Error: a|b',
});

test('what breaks without a variant too is not the fault of the variant', () => {
  const breaks = [found(null, 'one'), found('v', 'one'), found('v', 'two')];
  expect(brokenBy(breaks)).toEqual([breaks[0], breaks[2]]);
});

test('what is known is of that variant, client and call', () => {
  const known = [{ variant: 'v', client: 'openai', call: 'chat', because: 'b', source: 's' }];
  expect(knownAs(found('v', 'chat stream'), known)).toBe(known[0]);
  for (const other of [found(null, 'chat stream'), found('w', 'chat'), found('v', 'create')]) {
    expect(knownAs(other, known)).toBeUndefined();
  }
  const table = breaksTable([found('v', 'chat'), found('v', 'chat stream')], known);
  expect(table).toMatch(/`v` +\| `openai-6` \| chat, chat stream \| Error: a\\\|b +\| b /);
  expect(breaksTable([found('v', 'create')], known)).toContain('not looked at yet');
});
