export { runIdentity } from './challenge.ts';
export { type Chance, chance } from './chance.ts';
export { inventedWords } from './invented-word.ts';
export { wordsOfTexts } from './long-texts.ts';
export { recognisableIn } from './recognised.ts';
export { identityOf, isSentBy } from './request-id.ts';
export { seedOf } from './seed.ts';
export { shownWords } from './shown-words.ts';
