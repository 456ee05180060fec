import { answerId, type Exchange, Inconclusive } from '../harness/index.ts';

/**
 * Generations that have ids must have different ones: a server that gives everyone the same answer
 * serves nothing, and must not earn what asks only whether something was served.
 *
 * @throws {Inconclusive} when two of them have the same id; that ids are unique is a row of its own
 */
export function mustBeToldApart(generations: readonly Exchange[]): void {
  const seen = new Set<string>();
  for (const exchange of generations) {
    const id = answerId(exchange);
    if (id === null) continue;
    if (seen.has(id)) {
      throw new Inconclusive(
        `two generations have the same id, ${id}: they cannot be told apart`,
        exchange,
      );
    }
    seen.add(id);
  }
}
