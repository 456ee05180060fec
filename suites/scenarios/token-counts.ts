import {
  byAnotherChannel,
  type Exchange,
  expectValue,
  fieldsAt,
  inputTokens,
  listAt,
  merged,
  NothingToJudge,
  nativeBody,
  promptTokens,
  protocolModules,
  remembered,
  streamingProtocols,
  textAt,
  tokenCount,
  type WholeRun,
} from '../../harness/index.ts';
import { byKey, onceFor } from './collections.ts';
import { createdIn } from './created-answers.ts';
import { requestBody } from './exchanges.ts';
import { namedModel } from './requests/models.ts';

// Tolerances between token counts. All comparisons of counts use them, so that one place defines the permitted
// difference.

/** Allows for the end token, and for an estimated count: five percent. */
function withinLimit(limit: number): number {
  return limit + 1 + limit / 20;
}

/**
 * Judges that a call has read no more than another: it counts no more tokens, within the tolerance for two
 * channels. Passes if either shows no count.
 *
 * @param room additional tokens that prove nothing yet, because the content in question has many more
 */
export function expectNoMoreRead(read: Exchange, other: Exchange, room = 0): void {
  const [count, own] = [countedInput(read), countedInput(other)];
  if (count === null || own === null) return;
  const most = Math.floor(Math.max(byAnotherChannel(own), own + room));
  expectValue(count, { as: 'counted input tokens', of: read }).toBe(
    `at most ${most}, where the other request has ${own}`,
    (value) => Number(value) <= most,
  );
}

/** Returns the input tokens that a generation or a count shows, or null. */
export function countedInput(exchange: Exchange): number | null {
  return tokenCount(exchange) ?? inputTokens(exchange);
}

/** Judges that the reported output does not exceed its limit. */
export function expectWithinLimit(
  count: number,
  limit: number,
  about: { readonly as: string; readonly of: Exchange },
): void {
  expectValue(count, about).toBeAtMost(Math.floor(withinLimit(limit)));
}

/** True if an answer reached its limit by its own count, and did not exceed it. */
export function isAtLimit(count: number | null, limit: number): boolean {
  return count !== null && count >= limit && count <= withinLimit(limit);
}

/**
 * Returns the minimum number of tokens for a number of plain words. Tokenizers split a text at its spaces before
 * they merge letters, so a word is at least one token. A quarter is subtracted for tokenizers that merge frequent
 * words, and for differences between two channels.
 */
export function fewestTokens(words: number): number {
  return (3 * words) / 4;
}

/**
 * Skips answers whose input the gateway truncated or summarized, on request or by its own statement: their counts
 * do not show the input that was read.
 *
 * @throws {NothingToJudge} if an answer has `truncation: auto`, or holds a compaction
 */
export function notApplicableUnlessReadWhole(answers: readonly Exchange[]): void {
  for (const answer of answers) {
    const body = nativeBody(answer);
    if (textAt(body, 'truncation') === 'auto') {
      throw new NothingToJudge(
        'the response has `truncation: auto`: it may leave out earlier turns',
      );
    }
    if (listAt(body, 'output').some((item) => textAt(item, 'type') === 'compaction')) {
      throw new NothingToJudge('the response holds a compaction of earlier turns');
    }
  }
}

/** Returns the input tokens of every request of the run with the conversation, the key and the region of this one. */
export function countsOfAlike(exchange: Exchange, run: WholeRun): readonly number[] {
  const alike = alikeIn(run).get(conversationOf(exchange) ?? '') ?? [];
  return alike.flatMap((one) => promptTokens(one) ?? []);
}

const alikeIn = onceFor((run: WholeRun) =>
  byKey(createdIn(run), (exchange) => [conversationOf(exchange) ?? []].flat()),
);

/** Returns what the model reads of a request, and who asks where; null if nothing can be read. */
const conversationOf = remembered((exchange): string | null => {
  const { protocol, region, key } = exchange.about;
  const body = requestBody(exchange);
  const spoken = streamingProtocols.find((one) => one === protocol);
  if (body === null || spoken === undefined) return null;
  const unlimited = fieldsAt(protocolModules[spoken].request.outputLimit, undefined);
  try {
    const read = { ...merged(body, unlimited), ...unread };
    return JSON.stringify([protocol, region, key, namedModel(exchange), read]);
  } catch (error) {
    // A body may be nested deeper than the call stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
});

/** Members about the form of the answer and its storage. */
const unread = {
  ...{ stream: undefined, stream_options: undefined },
  ...{ store: undefined, background: undefined },
};
