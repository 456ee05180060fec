import type { Faker } from '@faker-js/faker';
// One module per language: loading all languages together takes longer than a check.
import { faker as ar } from '@faker-js/faker/locale/ar';
import { faker as de } from '@faker-js/faker/locale/de';
import { faker as el } from '@faker-js/faker/locale/el';
import { faker as en } from '@faker-js/faker/locale/en';
import { faker as fa } from '@faker-js/faker/locale/fa';
import { faker as he } from '@faker-js/faker/locale/he';
import { faker as hy } from '@faker-js/faker/locale/hy';
import { faker as ja } from '@faker-js/faker/locale/ja';
import { faker as ka } from '@faker-js/faker/locale/ka_GE';
import { faker as ko } from '@faker-js/faker/locale/ko';
import { faker as ru } from '@faker-js/faker/locale/ru';
import { faker as th } from '@faker-js/faker/locale/th';
import { faker as ur } from '@faker-js/faker/locale/ur';
import { faker as vi } from '@faker-js/faker/locale/vi';
import { faker as zh } from '@faker-js/faker/locale/zh_CN';
import { inventedWord, inventedWords } from './invented-word.ts';
import { drawnTexts, type LongTexts } from './long-texts.ts';
import { type Draw, sentenceAbout, textAbout, weatherIn } from './prompts.ts';
import { seedOf } from './seed.ts';

/** Thirteen scripts: right to left, without spaces, with combining marks, and plain. */
const languages = [ar, de, el, en, fa, he, hy, ja, ka, ko, ru, th, ur, vi, zh];

/** Random data of one scenario. It depends on the seed and not on other scenarios. */
export interface Chance {
  /** Calls `draw` at once. It must not keep the generator. */
  random<T>(draw: (faker: Faker) => T): T;
  /** A name of a person, in one of many languages and scripts. */
  topic(): string;
  /** A unique word, which a denied answer must not contain. Letters only, in lower case. */
  word(): string;
  /** A request for one short sentence. @param names of its subject; a word is added where they have none */
  sentence(...names: readonly string[]): string;
  /** A request for a text with a number of words. @param names as for a sentence */
  text(words: number, ...names: readonly string[]): string;
  /** Texts of long requests before their last turns. All scenarios of a run have the same. */
  readonly longTexts: LongTexts;
  /** A question that needs two function calls. */
  callQuestion(): string;
}

let latest: { readonly seed: number; readonly texts: LongTexts } | undefined;

/** Returns the texts of a seed. Cached, because every scenario of a run needs them. */
function longTextsOf(seed: number): LongTexts {
  if (latest?.seed === seed) return latest.texts;
  let parts = 0;
  const texts = drawnTexts((from) => from[seedOf(seed, `long text ${parts++}`) % from.length]);
  latest = { seed, texts };
  return texts;
}

export function chance(seed: number, scenario: string): Chance {
  const drawn = { values: 0, topics: 0, words: 0, prompts: 0 };
  // One generator, reseeded for each draw: creating one takes longer than an exchange.
  const draw = <T>(from: Faker, seeded: number, what: (faker: Faker) => T): T => {
    from.seed(seeded);
    return what(from);
  };
  const prompts = (): Draw => {
    const number = drawn.prompts++;
    let parts = 0;
    return (from) => from[seedOf(seed, scenario, `prompt ${number} ${parts++}`) % from.length];
  };
  const word = (): string => {
    const parts = ['first', 'second', 'third', 'fourth'].map((part) =>
      seedOf(seed, scenario, `word ${drawn.words} ${part}`),
    );
    drawn.words++;
    return inventedWord(parts);
  };
  // An answer that reached another request shows by this word.
  const withWord = (names: readonly string[]): readonly string[] =>
    inventedWords(names.join(' ')).length > 0 ? names : [...names, word()];
  return {
    sentence: (...names) => sentenceAbout(withWord(names), prompts()),
    text: (words, ...names) => textAbout(words, withWord(names), prompts()),
    get longTexts() {
      return longTextsOf(seed);
    },
    callQuestion: () => weatherIn(capitalised(word()), prompts()),
    random: (what) => draw(en, seedOf(seed, scenario, `value ${drawn.values++}`), what),
    topic: () => {
      const seeded = seedOf(seed, scenario, `topic ${drawn.topics++}`);
      const language = languages[seeded % languages.length] ?? en;
      return draw(language, seeded, ({ person }) => person.fullName());
    },
    word,
  };
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
