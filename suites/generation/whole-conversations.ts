import {
  assumeServed,
  type Exchange,
  expectValue,
  Inconclusive,
  NothingToJudge,
  promptTokens,
  wordsOfTexts,
} from '../../harness/index.ts';
import type { TruncatedConversation } from '../scenarios/generations/truncated.ts';
import { namesModel } from '../scenarios/requests/models.ts';
import { notApplicableUnlessReadWhole } from '../scenarios/token-counts.ts';

/** No piece that may get lost has fewer tokens: no tokenizer makes fewer than there are words. */
const shortest = Math.min(...Object.values(wordsOfTexts));

/**
 * Judges that the usage counts about as many tokens more than that of a short request as one body counts
 * for each piece: not so many fewer that one of them may be missing.
 */
export function expectWholeConversationCounted(said: TruncatedConversation): void {
  const { answer, model, spoken } = said;
  const { short, told, turns, part } = spoken;
  const pieces = [told, turns, part].filter((piece) => piece !== null);
  if (pieces.length === 0) throw new NothingToJudge('only the last turn is served in one body');
  assumeServed([short, answer]);
  notApplicableUnlessReadWhole([short, answer, ...pieces.map(({ more }) => more)]);
  if (!namesModel(short, model)) {
    throw new NothingToJudge('another model answered in one body, which may count otherwise');
  }
  const more = pieces.reduce((sum, piece) => sum + counted(piece.more) - counted(piece.less), 0);
  const as = `tokens of the input beyond those of a short request, where one body has ${more}`;
  expectValue(counted(answer) - counted(short), { as, of: answer }).toBeMoreThan(
    more - shortest / 2,
  );
}

function counted(exchange: Exchange): number {
  const count = promptTokens(exchange);
  if (count === null) throw new NothingToJudge('the usage shows no count of the input');
  if (count === 0) throw new Inconclusive('the usage counts no token of the input', exchange);
  return count;
}
