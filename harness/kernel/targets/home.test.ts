import { expect, test } from 'vitest';
import { withDefaults } from './defaults.ts';
import { atHome } from './home.ts';

const target = withDefaults(
  {
    regions: ['eu', 'us', 'ap'].map((name) => ({ name, baseUrl: `http://${name}` })),
    keys: { owner: 'owner-key-1' },
    models: [
      { id: 'everywhere', protocols: ['chat'] },
      { id: 'first', protocols: ['chat'], regions: ['eu'] },
      { id: 'further', protocols: ['chat'], regions: ['us', 'ap'] },
    ],
  },
  'test',
);

function seenFrom(region: string | null): readonly [string, string] {
  const { regions, models } = atHome(target, region);
  return [regions.map(({ name }) => name).join(' '), models.map(({ id }) => id).join(' ')];
}

test('a region is the first for whoever is at home there, and has its own models', () => {
  expect(seenFrom(null)).toEqual(['eu us ap', 'everywhere first']);
  expect(seenFrom('us')).toEqual(['us eu ap', 'everywhere further']);
  expect(seenFrom('ap')).toEqual(['ap eu us', 'everywhere further']);
});

test('a target is seen as the same one each time, and as itself where nothing differs', () => {
  expect(atHome(target, 'us')).toBe(atHome(target, 'us'));
  const models = target.models.slice(0, 1);
  const plain = { ...target, models };
  expect(atHome(plain, null)).toBe(plain);
});
