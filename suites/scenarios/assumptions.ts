import {
  contentOf,
  type Exchange,
  expectValue,
  Inconclusive,
  idOf,
  isRefused,
  type JudgeContext,
  outcome,
  requestInWords,
} from '../../harness/index.ts';

/**
 * Leaves a check undecided if two generations have the same id. A server that gives every client the same answer
 * serves no generation, and must not pass a check that something is served. Call it last, after the other
 * expectations.
 *
 * Denials are not judged either if every response has the same id. A response served to another user under that id
 * may be that user's own, and a response found after a deletion may be a different one. The repeated id itself is a
 * failure of another check.
 *
 * @param answers the answers that are judged; one without an id is not compared
 * @param others additional generations, which prove nothing without their ids
 * @throws {Inconclusive} if two generations have the same id (unique ids are a separate requirement), or one of
 * `others` has none
 */
export function assumeDistinctIds(answers: readonly Exchange[], others: readonly Exchange[]): void {
  const seen = new Set<string>();
  // An exchange in both lists is one generation.
  for (const exchange of new Set([...others, ...answers])) {
    const id = contentOf(exchange).id;
    if (id === null) {
      if (answers.includes(exchange)) continue;
      throw new Inconclusive(
        `another ${exchange.about.operation}, which needs an id of its own, gave none, but ${outcome(exchange)}`,
        exchange,
      );
    }
    if (seen.has(id)) {
      throw new Inconclusive(
        `two generations have the same id, ${id}: one cannot be distinguished from the other (see generation/responses.id-unique)`,
        exchange,
      );
    }
    seen.add(id);
  }
}

/**
 * Skips a further region that may lack the model. No source says that every region has every model, so a refusal to
 * the owner there may mean a missing model. The region has the model if its lists show it or the target file
 * assigns it.
 */
export function assumeModelThere(
  answer: Exchange,
  { region, hasModels }: Pick<JudgeContext, 'region' | 'hasModels'>,
): void {
  const status = answer.response?.status ?? 0;
  if (hasModels || !isRefused(answer) || status === 401 || status === 403) return;
  const reason = `${requestInWords(answer)} is refused in region ${region} with ${status}: it may not have the model: name those that have it under \`regions\` of the model in the target file`;
  throw new Inconclusive(reason, answer);
}

/** Like `assumeModelThere`, for a feature that a further region may lack even for a model that it has. */
export function assumeOfferedThere(answer: Exchange, region: string | null): void {
  assumeModelThere(answer, { region, hasModels: region === null });
}

/** Judges that an answer has a different id than the first one. */
export function expectOtherId(answer: Exchange, first: Exchange): void {
  const id = idOf(first);
  expectValue(idOf(answer), { as: 'the id of another answer', of: answer }).toBe(
    `not ${id} again`,
    (one) => one !== id,
  );
}

/** Advice for a model that generated no text. */
export const noTextHint =
  'where a model uses up its output limit with thoughts, raise `limits.maxOutputTokens` of the target file';

/**
 * Leaves a check undecided if the endpoint does not exist: a missing endpoint refuses every request, which proves
 * nothing about its refusals. A missing endpoint fails a separate requirement.
 *
 * @param baseline the answer to a good request
 */
export function assumeEndpointExists(baseline: Exchange): void {
  const status = baseline.response?.status ?? 0;
  if (![404, 405, 410].includes(status)) return;
  const reason = `${requestInWords(baseline)} is answered with ${status}, though it is a good request: the endpoint, or what it acts on, is not there`;
  throw new Inconclusive(reason, baseline);
}

/**
 * Returns a value that a scenario must have captured for a check. Its absence is an internal error, and makes the
 * check an `error`.
 */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Error(`The scenario captured no ${what}`);
  return value;
}
