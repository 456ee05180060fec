import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { asObject, at, listAt } from './json-value.ts';
import { fixture } from './package-root.ts';
import { placeOf } from './place.ts';
import { claimable, isAmong, isOf, parseProfiles, profilesNamed } from './profiles.ts';
import { type Restriction, restrictionFields, restrictionNames } from './verdict.ts';

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

  test.each(claims.profiles)('$name has all that is about no protocol', (profile) => {
    const general = ids.filter((id) => placeOf(id).subject === 'other');
    expect(general.filter((id) => !isOf(id, profile) && !isAmong(id, profile.except))).toEqual([]);
  });

  test.each(claims.restrictions)('each row that $name leaves open is one', ({ leavesOpen }) => {
    for (const row of leavesOpen) {
      const without = leavesOpen.filter((other) => other !== row);
      expect(
        ids.some((id) => isAmong(id, leavesOpen) && !isAmong(id, without)),
        row,
      ).toBe(true);
    }
  });

  test.each([
    ['chat', 'generation/chat-completions.shape', 'generation/messages.shape'],
    ['messages', 'counting/messages.shape', 'generation/responses.shape'],
    ['chat', 'everywhere/native.no-byte-order-mark', 'counting/messages.shape'],
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

  test('reports have each restriction, and a policy can allow it', () => {
    const report = JSON.parse(readFileSync(fixture('report.schema.json'), 'utf8'));
    expect(listAt(report, '$defs.restriction.enum')).toEqual(restrictionNames);
    expect(Object.keys(asObject(at(report, 'properties.target.properties')))).toEqual(
      expect.arrayContaining(Object.values(restrictionFields)),
    );
    const policy = JSON.parse(readFileSync(fixture('policy.schema.json'), 'utf8'));
    expect(listAt(policy, 'properties.restrictions.items.enum')).toEqual(restrictionNames);
  });

  test('what is offered comes to the largest profiles that need no more', () => {
    const offered = (...names: string[]) => claimable(new Set(names), [], claims);
    const restricted = (restriction: Restriction, ...names: string[]) =>
      claimable(new Set(names), [restriction], claims);
    expect(offered(...(whole?.needs ?? []))).toEqual(['gateway']);
    expect(offered('chat', 'stream:chat', 'vendorA-messages')).toEqual(['chat']);
    expect(offered('responses', 'stream:responses', 'systemone')).toEqual([
      'systemone',
      'responses',
    ]);
    expect(offered('responses', 'stream:responses', 'background')).toEqual(['responses-stored']);
    expect(offered('chat')).toEqual([]);
    expect(restricted('without-storage', ...(whole?.needs ?? []))).not.toContain('gateway');
    expect(restricted('without-storage', 'responses', 'stream:responses', 'background')).toEqual([
      'responses',
    ]);
    expect(restricted('single-user', ...(whole?.needs ?? []))).toEqual(['gateway']);
  });
});

test.each([
  [[], 'expected `profiles`'],
  [{ profiles: [{ name: 'a', sentence: 'A.' }], restrictions: [] }, '"needs" is missing'],
  [{ profiles: [{ name: 'a', sentence: 'A.', ids: [] }], restrictions: [] }, 'unknown field "ids"'],
  [{ profiles: [], restrictions: [{ name: 'no-keys', sentence: 'A.' }] }, 'called "no-keys"'],
  [
    {
      profiles: [{ name: 'a', sentence: 'A.', needs: [], refuses: ['no-keys'] }],
      restrictions: [],
    },
    'called "no-keys"',
  ],
  [{ profiles: [], restrictions: {} }, '"restrictions" is no list'],
])('what is wrong with profiles is said: %j', (value, said) => {
  expect(() => parseProfiles(value)).toThrow(said);
});
