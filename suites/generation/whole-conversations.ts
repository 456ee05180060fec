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

/** Minimum number of tokens of a part that may get lost: no tokenizer makes fewer tokens than there are words. */
const shortest = Math.min(...Object.values(wordsOfTexts));

/** Input tokens of an answer and of a short one, and the tokens that one JSON body counts for the other parts. */
interface Counts {
  readonly all: number;
  readonly short: number;
  readonly more: number;
  /** Tokens of the part with the lowest count. */
  readonly least: number;
}

/**
 * Judges that the usage exceeds that of a short request by about the tokens that one JSON body counts for each
 * part. A deficit large enough for a missing part fails.
 */
export function expectWholeConversationCounted(told: Told): void {
  const { all, short, more } = countsOf(told);
  if (more < shortest / 2) throw new NothingToJudge('one body counts nothing of what is said');
  const as = `tokens of the input beyond those of a short request, where one body has ${more}`;
  expectValue(all - short, { as, of: told.answer }).toBeMoreThan(more - shortest / 2);
}

/**
 * Judges that the usage does not far exceed that of one JSON body: counting a part twice doubles it. The tolerance
 * covers estimated usage, and last turns of different lengths.
 */
export function expectNoFurtherInputCounted(told: Told): void {
  const { all, short, more, least } = countsOf(told);
  // A separate check judges if one JSON body reads every part.
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
