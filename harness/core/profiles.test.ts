import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { asObject, listAt } from './json-value.ts';
import { fixture } from './package-root.ts';
import { claimable, isOf, parseProfiles, profilesNamed } from './profiles.ts';
import { restrictionNames } from './verdict.ts';

const { claims, checks } = loadCatalogue();
const musts = checks.filter(({ level }) => level === 'MUST').map(({ id }) => id);
const ids = checks.map(({ id }) => id);
const [whole] = profilesNamed(['gateway'], claims);

describe('the profiles of the project', () => {
  test('every MUST belongs to the whole gateway, and to one of its parts', () => {
    const parts = claims.profiles.filter((profile) => profile !== whole);
    expect(musts.filter((id) => whole === undefined || !isOf(id, whole))).toEqual([]);
    expect(musts.filter((id) => !parts.some((profile) => isOf(id, profile)))).toEqual([]);
  });

  test.each(claims.profiles)('$name selects something with each of its selectors', (profile) => {
    for (const row of profile.rows) {
      expect(
        ids.some((id) => isOf(id, { rows: [row], except: [] })),
        row,
      ).toBe(true);
    }
    for (const row of profile.except) {
      const without = profile.except.filter((other) => other !== row);
      expect(
        ids.some((id) => isOf(id, { ...profile, except: without }) && !isOf(id, profile)),
        row,
      ).toBe(true);
    }
  });

  test.each([
    ['chat', 'generation/chat-completions.shape', 'generation/messages.shape'],
    ['messages', 'counting/messages.shape', 'models/catalog.shape'],
    ['generative', 'models/catalog.shape', 'storage/responses.lookup-served'],
    ['systemone', 'models/list.shape', 'generation/responses.shape'],
    ['responses', 'websocket/connection.turn-served', 'storage/responses.lookup-served'],
    ['responses', 'generation/usage.counts-output:responses', 'access/owners.key-required:lookup'],
    ['responses-stored', 'access/regions.original-region-served', 'generation/messages.shape'],
  ])('%s has %s, and not %s', (name, inside, outside) => {
    const [profile] = profilesNamed([name], claims);
    if (profile === undefined) throw new Error(`no profile ${name}`);
    expect([isOf(inside, profile), isOf(outside, profile)]).toEqual([true, false]);
    expect([ids.includes(inside), ids.includes(outside)]).toEqual([true, true]);
  });

  test('a target file can claim each, and say each restriction', () => {
    const schema = JSON.parse(readFileSync(fixture('target.schema.json'), 'utf8'));
    expect(listAt(schema, 'properties.profiles.items.enum')).toEqual(
      claims.profiles.map(({ name }) => name),
    );
    expect(claims.restrictions.map(({ name }) => name)).toEqual(restrictionNames);
    for (const { field } of claims.restrictions) {
      expect(Object.keys(asObject(schema.properties))).toContain(field);
    }
  });

  test('what is offered comes to the largest profiles that need no more', () => {
    const offered = (...names: string[]) => claimable(new Set(names), claims, ids);
    expect(offered(...(whole?.needs ?? []))).toEqual(['gateway']);
    expect(offered('chat', 'stream:chat', 'vendorA-messages')).toEqual(['chat']);
    expect(offered('responses', 'stream:responses', 'systemone')).toEqual([
      'systemone',
      'responses',
    ]);
    expect(offered('responses', 'stream:responses', 'background')).toEqual(['responses-stored']);
    expect(offered('chat')).toEqual([]);
  });
});

test.each([
  [[], 'expected `profiles`'],
  [{ profiles: [{ name: 'a', sentence: 'A.', rows: [] }], restrictions: [] }, '"needs" is missing'],
  [{ profiles: [{ name: 'a', sentence: 'A.', ids: [] }], restrictions: [] }, 'unknown field "ids"'],
  [{ profiles: [], restrictions: [{ name: 'no-keys', sentence: 'A.' }] }, 'called "no-keys"'],
  [{ profiles: [], restrictions: {} }, '"restrictions" is no list'],
])('what is wrong with profiles is said: %j', (value, said) => {
  expect(() => parseProfiles(value)).toThrow(said);
});
