import {
  assumeServed,
  type Exchange,
  expectValue,
  Inconclusive,
  NothingToJudge,
  promptTokens,
  wordsOfTexts,
} from '../../harness/index.ts';
import type { Told } from '../scenarios/generations/whole-responses.ts';
import { namesModel } from '../scenarios/requests/models.ts';
import { notApplicableUnlessReadWhole } from '../scenarios/token-counts.ts';

/** No piece that may get lost has fewer tokens: no tokenizer makes fewer than there are words. */
const shortest = Math.min(...Object.values(wordsOfTexts));

/** Input tokens of an answer and of a short one, and the tokens that one body counts for the other pieces. */
interface Counts {
  readonly all: number;
  readonly short: number;
  readonly more: number;
  /** Tokens of the piece with the lowest count. */
  readonly least: number;
}

/**
 * Judges that the usage counts about as many tokens more than that of a short request as one body counts
 * for each piece: not so many fewer that one of them may be missing.
 */
export function expectWholeConversationCounted(told: Told): void {
  const { all, short, more } = countsOf(told);
  if (more < shortest / 2) throw new NothingToJudge('one body counts nothing of what is said');
  const as = `tokens of the input beyond those of a short request, where one body has ${more}`;
  expectValue(all - short, { as, of: told.answer }).toBeMoreThan(more - shortest / 2);
}

/**
 * Judges that it does not count far more than one body does: what is counted twice is twice as much. A usage
 * may be an estimate, and the last turns differ in length.
 */
export function expectNoFurtherInputCounted(told: Told): void {
  const { all, short, more, least } = countsOf(told);
  // A check of its own judges if one body reads all of it.
  if (least < shortest / 2) throw new NothingToJudge('one body does not count all that is said');
  const as = `tokens of the input, where one body has ${short} for a short request, and ${more} more for all else`;
  expectValue(all, { as, of: told.answer }).toBeAtMost(Math.floor(1.5 * (short + more)));
}

function countsOf({ answer, model, spoken }: Told): Counts {
  const { short, told, turns, part } = spoken;
  const pieces = [told, turns, part].filter((piece) => piece !== null);
  if (pieces.length === 0) throw new NothingToJudge('only the last turn is served in one body');
  assumeServed([short, answer]);
  notApplicableUnlessReadWhole([short, answer, ...pieces.map(({ more }) => more)]);
  if (!namesModel(short, model)) {
    throw new NothingToJudge('another model answered in one body, which may count otherwise');
  }
  const counts = pieces.map((piece) => counted(piece.more) - counted(piece.less));
  const more = counts.reduce((sum, count) => sum + count, 0);
  return { all: counted(answer), short: counted(short), more, least: Math.min(...counts) };
}

function counted(exchange: Exchange): number {
  const count = promptTokens(exchange);
  if (count === null) throw new NothingToJudge('the usage shows no count of the input');
  if (count === 0) throw new Inconclusive('the usage counts no token of the input', exchange);
  return count;
}
