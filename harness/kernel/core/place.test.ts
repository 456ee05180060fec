import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadCatalogue } from './catalogue.ts';
import { fixture } from './package-root.ts';
import { isAskedFor, placeOf, subjectFilters } from './place.ts';
import { parseAxes } from './row.ts';

const { checks, select } = loadCatalogue();

test('a filter is an id prefix, or the name of a protocol', () => {
  expect(isAskedFor('generation/messages.shape', 'generation/')).toBe(true);
  expect(isAskedFor('generation/messages.shape', '@messages')).toBe(true);
  expect(isAskedFor('access/credentials.key-required:messages-count-tokens', '@messages')).toBe(
    true,
  );
  expect(isAskedFor('access/credentials.key-required:lookup', '@messages')).toBe(false);
  expect(isAskedFor('generation/messages.shape', '@message')).toBe(false);
});

test('every protocol and the model lists have checks, and each check is about one of them at most', () => {
  const counts = subjectFilters.map((filter) => select([filter]).length);
  expect(Math.min(...counts)).toBeGreaterThan(5);
  const others = checks.filter(({ id }) => placeOf(id).subject === 'other');
  expect(counts.reduce((sum, count) => sum + count, others.length)).toBe(checks.length);
});

test('a protocol that there is not is refused like an unknown id', () => {
  expect(() => select(['@telepathy'])).toThrow('"@telepathy" is not in the catalogue');
});

test.each([
  ['storage/responses.false-denies:lookup', 'responses', 'storage'],
  ['storage/messages.stored-looked-up', 'messages', 'storage'],
  ['storage/deletion.denied:lookup', 'responses', 'storage/deletion'],
  ['background/runs.started', 'responses', 'background/runs'],
  ['counting/generative.shape', 'generative', 'counting'],
  ['generation/messages-stream.order', 'messages', 'generation/stream'],
  ['generation/usage.counted:generative-stream', 'generative', 'generation/usage'],
  ['models/path.any:generate-content.v1', 'models', 'models/path'],
  ['models/catalog.shape', 'models', 'models/catalog'],
  ['access/credentials.key-required:count-tokens', 'generative', 'access/credentials'],
  ['access/credentials.header:messages-count-tokens.bearer', 'messages', 'access/credentials'],
  ['access/capabilities.lacks:stream-chat-completions', 'chat-completions', 'access/capabilities'],
  ['access/regions.elsewhere:continue-websocket', 'responses', 'access/regions'],
  ['everywhere/native.error-shape:cancel', 'responses', 'everywhere/native'],
  ['metering/ledger.one-entry', 'other', 'metering/ledger'],
])('%s stands at %s, %s', (id, column, area) => {
  expect(placeOf(id)).toEqual({ subject: column, area });
});

test('every value of an axis of endpoints, operations, capabilities and modes is about a protocol', () => {
  const axes = parseAxes(parse(readFileSync(fixture('requirements/axes.yaml'), 'utf8')));
  const values = [
    'endpoint',
    'stored-op',
    'capability',
    'creation-mode',
    'generation-mode',
  ].flatMap((axis) => axes[axis] ?? []);
  expect(values.length).toBeGreaterThan(40);
  const lost = values.filter((value) => placeOf(`a/b.c:${value}`).subject === 'other');
  expect(lost).toEqual([]);
});
