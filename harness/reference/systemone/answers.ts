import { createHash } from 'node:crypto';
import { isArray, type JsonObject, objectOrEmpty } from '../json.ts';

interface Decision {
  readonly model: string;
  /** JSON text of the state. */
  readonly state: string;
}

/** Returns the answer to one question, in the question's type. It depends only on the decision and the question. */
export function answer(decision: Decision, name: string, question: JsonObject): JsonObject {
  const weigh = (option: string): number => weight(decision, name, question, option);
  switch (question.type) {
    case 'choice':
      return choice(Object.keys(objectOrEmpty(question.criteria)), weigh);
    case 'score':
      return score(isArray(question.criteria) ? question.criteria.map(String) : [], weigh);
    default:
      return { type: 'noul', noul: Math.round(100 * (weigh('true') / 65_536)) / 100 };
  }
}

function choice(labels: readonly string[], weigh: (label: string) => number): JsonObject {
  const shares = hundredths(labels.map(weigh));
  const best = shares.indexOf(Math.max(...shares));
  return {
    type: 'choice',
    choice: labels[best],
    confidence: (shares[best] ?? 0) / 100,
    probabilities: members(labels, shares),
  };
}

/** Returns the expected level, and the probability of each level. */
function score(levels: readonly string[], weigh: (level: string) => number): JsonObject {
  const indexes = levels.map((_, index) => String(index));
  const shares = hundredths(indexes.map(weigh));
  const expected = shares.reduce((sum, share, level) => sum + share * level, 0);
  return {
    type: 'score',
    score: expected / 100,
    confidence: Math.max(...shares) / 100,
    legend: Object.fromEntries(levels.map((level, index) => [String(index), level])),
    probabilities: members(indexes, shares),
  };
}

function members(names: readonly string[], shares: readonly number[]): JsonObject {
  return Object.fromEntries(names.map((name, i) => [name, (shares[i] ?? 0) / 100]));
}

/**
 * Returns each weight's share in integer hundredths that sum to exactly 100. The largest remainders are rounded up,
 * so that two decimals suffice.
 */
export function hundredths(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const exact = weights.map((w) => (100 * w) / total);
  const shares = exact.map(Math.floor);
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0);
  exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
    .slice(0, missing)
    .forEach(({ index }) => {
      shares[index] = (shares[index] ?? 0) + 1;
    });
  return shares;
}

/** Returns the weight of an option, from 1 to 65 536: arbitrary, but deterministic. */
function weight(
  { model, state }: Decision,
  name: string,
  question: JsonObject,
  option: string,
): number {
  const hash = createHash('sha256');
  for (const part of [model, state, name, JSON.stringify(question), option]) {
    hash.update(`${part.length}:`).update(part);
  }
  return 1 + hash.digest().readUInt16LE();
}
