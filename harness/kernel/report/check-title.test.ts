import { expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import { sampleCheck } from '../core/samples/run.ts';
import { checkTitle } from './check-title.ts';

const titleOf = (text: string, id = 'a/b.c') =>
  checkTitle(sampleCheck(id, { state: 'pass' }, { text }));

test('a title is the first sentence of what is required, without its end', () => {
  expect(titleOf('A body without `model` is refused. It is not asked of others.').words).toBe(
    'A body without `model` is refused',
  );
  expect(titleOf('`a.b` is the sum of `a.c` and `a.d`.').words).toBe(
    '`a.b` is the sum of `a.c` and `a.d`',
  );
});

test('a long sentence is cut where a part of it ends, and never within code or brackets', () => {
  const part = 'A request without its key is refused, in each form that the endpoint takes';
  expect(titleOf(`${part}: ${'plain, '.repeat(20)}and so on.`).words).toMatch(/^A request .* …$/);
  expect(titleOf(`${'word '.repeat(20)}\`${'x'.repeat(60)}\` is served`).words).toBe(
    `${'word '.repeat(20)}…`,
  );
});

test('the value of an axis stands beside it, protocols under their names', () => {
  expect(titleOf('x', 'a/b.c')).toEqual({ words: 'x', value: null });
  expect(titleOf('x', 'a/b.c:chat-completions.tool-choice').value).toBe(
    'Chat Completions · tool-choice',
  );
});

test('every requirement has a title that a line has room for, with code that is closed', () => {
  for (const { id, text } of loadCatalogue().requirements) {
    const { words } = titleOf(text, id);
    expect(words.length, id).toBeGreaterThan(10);
    expect(words.length, id).toBeLessThanOrEqual(122);
    expect(words.split('`').length % 2, `${id}: ${words}`).toBe(1);
  }
});
