import type { Faker } from '@faker-js/faker';
// Each by its own module: all languages together take longer to load than a check takes to run.
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
import { seedOf } from '../seed.ts';
import { inventedWord } from './invented-word.ts';
import { drawnTexts, type LongTexts } from './long-texts.ts';
import { type Draw, sentenceAbout, textAbout, weatherIn } from './prompts.ts';

/** Thirteen scripts: written from right to left, without spaces, with marks that combine, and plain. */
const languages = [ar, de, el, en, fa, he, hy, ja, ka, ko, ru, th, ur, vi, zh];

/**
 * Random data of one scenario. Two runs with the same seed draw the same, whatever other scenarios draw
 * meanwhile.
 */
export interface Chance {
  /** `draw` is called at once, and must not keep what it is given. */
  random<T>(draw: (faker: Faker) => T): T;
  /** Something to write about: the name of a person, in one of many languages and scripts. */
  topic(): string;
  /** A word that stands nowhere else: what a denied answer must not hold. Letters only, in lower case. */
  word(): string;
  /** A request for one short sentence, in one of several languages. @param names of what it is about, if anything */
  sentence(...names: readonly string[]): string;
  /** A request for a text of so many words. */
  text(words: number, name?: string): string;
  /** Texts of long requests before their last turns. The same in all scenarios of a run. */
  readonly longTexts: LongTexts;
  /** A question that takes two calls of the function of tool calls. */
  callQuestion(): string;
}

let latest: { readonly seed: number; readonly texts: LongTexts } | undefined;

/** Remembers the texts of the latest seed, because every scenario of a run asks for them. */
function longTextsOf(seed: number): LongTexts {
  if (latest?.seed === seed) return latest.texts;
  let parts = 0;
  const texts = drawnTexts((from) => from[seedOf(seed, `long text ${parts++}`) % from.length]);
  latest = { seed, texts };
  return texts;
}

export function chance(seed: number, scenario: string): Chance {
  const drawn = { values: 0, topics: 0, words: 0, prompts: 0 };
  // One generator for all, seeded anew for each draw: to make one takes longer than an exchange.
  const draw = <T>(from: Faker, seeded: number, what: (faker: Faker) => T): T => {
    from.seed(seeded);
    return what(from);
  };
  const prompts = (): Draw => {
    const number = drawn.prompts++;
    let parts = 0;
    return (from) => from[seedOf(seed, scenario, `prompt ${number} ${parts++}`) % from.length];
  };
  return {
    sentence: (...names) => sentenceAbout(names, prompts()),
    text: (words, name) => textAbout(words, name, prompts()),
    get longTexts() {
      return longTextsOf(seed);
    },
    callQuestion: () => weatherIn(prompts()),
    random: (what) => draw(en, seedOf(seed, scenario, `value ${drawn.values++}`), what),
    topic: () => {
      const seeded = seedOf(seed, scenario, `topic ${drawn.topics++}`);
      const language = languages[seeded % languages.length] ?? en;
      return draw(language, seeded, ({ person }) => person.fullName());
    },
    word: () => {
      const parts = ['first', 'second', 'third', 'fourth'].map((part) =>
        seedOf(seed, scenario, `word ${drawn.words} ${part}`),
      );
      drawn.words++;
      return inventedWord(parts);
    },
  };
}
