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

test('what is known is of that variant and client', () => {
  const known = [{ variants: ['v.'], client: 'openai', because: 'b', source: 's' }];
  expect(knownAs(found('v.1', 'chat'), known)).toBe(known[0]);
  expect(knownAs(found(null, 'chat'), known)).toBeUndefined();
  expect(knownAs(found('w.1', 'chat'), known)).toBeUndefined();
  expect(knownAs({ ...found('v.1', 'chat'), client: 'langchain-1' }, known)).toBeUndefined();
  const table = breaksTable([found('v.1', 'chat'), found('v.1', 'chat stream')], known);
  expect(table).toMatch(/`v\.1` +\| `openai-6` \| chat, chat stream \| Error: a\\\|b +\| b /);
  expect(breaksTable([found('w.1', 'create')], known)).toContain('not looked at yet');
});
