import type { Draw } from './prompts.ts';

/** Texts of a request before its last turn, so long that the usage shows whether they were read. */
export interface LongTexts {
  /** The first turn of the user. */
  readonly firstTurn: string;
  /** The answer to the first turn. */
  readonly firstAnswer: string;
  readonly system: string;
}

const places: Readonly<Record<string, readonly string[]>> = {
  name: [
    'Ada',
    'Mila',
    'Oscar',
    'Nora',
    'Hugo',
    'Irma',
    'Paul',
    'Greta',
    'Felix',
    'Clara',
    'Emil',
    'Vera',
  ],
  small: ['small', 'quiet', 'yellow', 'narrow', 'wooden', 'sunny', 'simple', 'white'],
  house: ['house', 'cottage', 'cabin', 'farmhouse', 'mill', 'bungalow'],
  river: ['river', 'lake', 'canal', 'brook', 'pond', 'harbour', 'forest', 'village'],
  apples: ['apples', 'pears', 'plums', 'cherries'],
  figs: ['figs', 'quinces', 'peaches', 'apricots'],
  grapes: ['grapes', 'currants', 'gooseberries', 'medlars'],
  spring: ['spring', 'summer', 'autumn'],
  flowers: ['flowers', 'roses', 'tulips', 'lilies', 'poppies', 'violets', 'asters'],
  wall: ['wall', 'fence', 'path', 'gate', 'hedge', 'steps'],
  brother: ['brother', 'sister', 'cousin', 'uncle', 'nephew', 'neighbour', 'teacher'],
  Sunday: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  tea: ['tea', 'coffee', 'cocoa', 'lemonade', 'cider', 'juice'],
  tree: ['tree', 'oak', 'lime', 'ash', 'elm', 'willow', 'walnut', 'chestnut'],
  books: ['books', 'stories', 'letters', 'poems', 'papers', 'novels'],
  garden: ['garden', 'orchard', 'meadow', 'vineyard', 'greenhouse', 'park'],
};

/** Variants of each sentence with the same number of words, on which token counts depend. */
const sentences: Readonly<Record<keyof LongTexts, readonly (readonly string[])[]>> = {
  firstTurn: [
    [
      'My name is {name}, and I live in a {small} {house} by the {river}.',
      'I am called {name}, and my home is a {small} {house} near the {river}.',
      '{name} is my name, and I have a {small} {house} close to the {river}.',
    ],
    [
      'In my {garden} I grow {apples}, {figs} and {grapes}, and in the {spring} there are many {flowers} along the {wall}.',
      'There are {apples}, {figs} and {grapes} in my {garden}, and during the {spring} I see many {flowers} beside the {wall}.',
    ],
    [
      'My {brother} comes to see me every {Sunday}, and we drink {tea} under the old {tree} and talk about the {books} that we have read in the week before.',
      'Every {Sunday} my {brother} visits me, and then we have {tea} beside the old {tree} and speak of the {books} that both of us have read since last time.',
    ],
  ],
  firstAnswer: [
    [
      'Nice to meet you, {name}. Your {garden} by the {river} sounds like a good place to sit and to read.',
      'Hello, {name}, and thank you. A {garden} near the {river} is a fine place for somebody who likes to read.',
    ],
    [
      'Your {apples}, {figs} and {grapes} need sun and little care, and the {flowers} along the {wall} will bring the bees that they need.',
      'With sun and some care you will have {apples}, {figs} and {grapes}, and many bees will come to the {flowers} along the {wall}.',
    ],
    [
      'I hope that your {brother} likes the {tea}, and that the old {tree} gives you both a lot of shade in the summer.',
      'May your {brother} enjoy the {tea}, and may the old {tree} give the two of you its shade on every single hot day.',
    ],
  ],
  system: [
    [
      'You help people who keep a {garden} by a {river}.',
      'You advise those who have a {garden} near a {river}.',
    ],
    [
      'Give short and friendly answers, and use plain words that a child can read.',
      'Answer in a few kind sentences, with simple words that a child would understand.',
    ],
    [
      'Say what to do first and why it helps, and leave out what is not needed.',
      'Begin with the most useful step, tell the reason for it, and skip all other details.',
    ],
    [
      'When you do not know the answer, say so, and name a person who may know it, such as a neighbour who has had a {garden} for many years.',
      'If something is unknown to you, admit it openly, and suggest somebody who may be able to help, for example a neighbour whose own {garden} is older than this.',
    ],
  ],
};

/** Returns the texts of a run. The same words fill all of them, so that the answer matches the turn. */
export function drawnTexts(draw: Draw): LongTexts {
  const words = new Map(Object.entries(places).map(([place, all]) => [place, draw(all) ?? place]));
  const text = (of: keyof LongTexts): string =>
    sentences[of]
      .map((ways) => draw(ways) ?? '')
      .join(' ')
      .replace(/\{(\w+)\}/g, (_, place: string) => words.get(place) ?? place);
  return { firstTurn: text('firstTurn'), firstAnswer: text('firstAnswer'), system: text('system') };
}

/** Number of words of each text, the same for every draw. */
export const wordsOfTexts: Readonly<Record<keyof LongTexts, number>> = (() => {
  const { firstTurn, firstAnswer, system } = drawnTexts(([first]) => first);
  return {
    firstTurn: wordsIn(firstTurn),
    firstAnswer: wordsIn(firstAnswer),
    system: wordsIn(system),
  };
})();

function wordsIn(text: string): number {
  return text.split(' ').length;
}
