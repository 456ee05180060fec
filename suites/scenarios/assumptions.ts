import {
  answerId,
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
 * Generations have different ids: a server that gives everyone the same answer serves nothing, and must
 * not pass a check of whether something is served. Call it last.
 *
 * Denials are not judged either where every response has the same id: what another user is served by that
 * id may be a response of its own, and what is found after a deletion another one. That the ids are the
 * same fails, so nobody is let off.
 *
 * @param answers what is judged; one without an id is none of the others
 * @param others generations that were asked for in addition, which say nothing without their ids
 * @throws {Inconclusive} when two have the same id (that ids are unique is a row of its own), or one of
 *   the others has none
 */
export function assumeDistinctIds(answers: readonly Exchange[], others: readonly Exchange[]): void {
  const seen = new Set<string>();
  // An exchange in both lists is one generation.
  for (const exchange of new Set([...others, ...answers])) {
    const id = answerId(exchange);
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
 * No source says that every region has every model: what a further region refuses to its owner for no lack
 * of a credential may be that, unless its lists show the model, or the target file gives it to the region.
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

/** Judges that another answer has another id. */
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
 * An endpoint that is not there refuses everything, and says nothing of how it refuses. That it is
 * missing is a requirement of its own.
 *
 * @param baseline the answer to a good request
 */
export function assumeEndpointExists(baseline: Exchange): void {
  const status = baseline.response?.status ?? 0;
  if (![404, 405, 410].includes(status)) return;
  const reason = `${requestInWords(baseline)} is answered with ${status}, though it is a good request: the endpoint, or what it acts on, is not there`;
  throw new Inconclusive(reason, baseline);
}
