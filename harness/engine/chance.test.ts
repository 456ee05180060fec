import { expect, test } from 'vitest';
import { chance } from './chance.ts';

const many = Array.from({ length: 400 });

test('draws the same with the same seed, whatever others draw meanwhile', () => {
  const drawn = (others: () => void) => {
    const { random, topic, word } = chance(7, 's/one');
    return many.map(() => {
      others();
      return [word(), topic(), random(({ string }) => string.alpha(9))];
    });
  };
  const another = chance(7, 's/another');
  const alone = drawn(() => undefined);
  expect(
    drawn(() => {
      another.topic();
      another.random(({ string }) => string.alpha(9));
    }),
  ).toEqual(alone);
  expect(new Set(alone.map(([word]) => word)).size).toBe(many.length);
  expect(chance(8, 's/one').word()).not.toBe(alone[0]?.[0]);
  expect(chance(7, 's/other').word()).not.toBe(alone[0]?.[0]);
});

test('writes about names in many scripts', () => {
  const { topic } = chance(1, 's/one');
  const topics = many.map(() => topic()).join(' ');
  const scripts = [
    'Arabic',
    'Armenian',
    'Cyrillic',
    'Georgian',
    'Greek',
    'Han',
    'Hangul',
    'Hebrew',
    'Latin',
    'Thai',
  ];
  expect(scripts.filter((name) => !new RegExp(`\\p{Script=${name}}`, 'u').test(topics))).toEqual(
    [],
  );
});
