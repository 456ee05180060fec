import { expect, test } from 'vitest';
import { chance } from './chance.ts';
import { inventedWords } from './invented-word.ts';
import { wordsOfTexts } from './long-texts.ts';
import { grammars } from './prompts.ts';

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
  expect(inventedWords(alone.map(([word]) => word).join(' '))).toEqual(alone.map(([word]) => word));
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

/** All that is ever asked for, but for what it is about. */
function everyTemplate(): readonly string[] {
  return grammars
    .filter((grammar, index) => grammars.indexOf(grammar) === index)
    .flatMap(({ sentence, text }) => [sentence, text])
    .flatMap((lists) =>
      lists.reduce<readonly string[]>(
        (before, list) => before.flatMap((one) => list.map((part) => `${one} ${part}`.trim())),
        [''],
      ),
    );
}

test('asks in so many ways that two runs have next to nothing in common', () => {
  const templates = everyTemplate();
  expect(templates.length).toBeGreaterThan(8_000);
  // None holds what is taken for a drawn word.
  expect(templates.flatMap(inventedWords)).toEqual([]);
  const asked = (seed: number): string[] => {
    const { sentence, text } = chance(seed, 's/one');
    return many.flatMap(() => [sentence('X'), text(64, 'X')]);
  };
  const [one, other] = [asked(1), new Set(asked(2))];
  expect(one.filter((prompt) => other.has(prompt)).length).toBeLessThan(one.length / 5);
  expect(one.join(' ')).not.toMatch(/undefined|\{/);
});

test('every prompt has a word of its own, and one that is given is the only one', () => {
  const { sentence, text, callQuestion, word } = chance(3, 's/one');
  const ask = () => [sentence(), text(64), callQuestion(), sentence('Ada'), text(64, 'Ada')];
  const words = many.flatMap(ask).map(inventedWords);
  expect(words.filter(({ length }) => length !== 1)).toEqual([]);
  expect(new Set(words.flat()).size).toBe(words.length);
  const own = word();
  expect(inventedWords(sentence('Ada', own))).toEqual([own]);
});

test('long texts have the same number of words in every run, and are the same in all of one', () => {
  const words = (text: string): number => text.split(' ').length;
  const all = many.map((_, seed) => chance(seed, 's/one').longTexts);
  for (const { firstTurn, firstAnswer, system } of all) {
    expect({
      firstTurn: words(firstTurn),
      firstAnswer: words(firstAnswer),
      system: words(system),
    }).toEqual(wordsOfTexts);
    expect(firstTurn + firstAnswer + system).not.toMatch(/undefined|[{}]/);
  }
  expect(new Set(all.map(({ firstTurn }) => firstTurn)).size).toBe(many.length);
  expect(chance(3, 's/other').longTexts).toEqual(all[3]);
});
