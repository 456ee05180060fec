import { textsIn } from '../judge/index.ts';
import { remembered } from '../wire/index.ts';
import { inventedWords } from './invented-word.ts';

/** The invented words that an answer contains anywhere, whoever sent them. */
export const shownWords = remembered(
  (exchange): ReadonlySet<string> => new Set([...textsIn(exchange)].flatMap(inventedWords)),
);
