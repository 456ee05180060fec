import { textsIn } from '../../judge/denied.ts';
import { remembered } from '../../wire/remembered.ts';
import { inventedWords } from './invented-word.ts';

/** The invented words that an answer shows anywhere, whoever has sent them. */
export const shownWords = remembered(
  (exchange): ReadonlySet<string> => new Set([...textsIn(exchange)].flatMap(inventedWords)),
);
