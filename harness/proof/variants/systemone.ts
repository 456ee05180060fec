import { isObject, type JsonObject, objectOrEmpty } from '../../reference/json.ts';
import { changed } from '../editing.ts';
import { bodies } from '../planting.ts';
import type { Variant } from './variant.ts';

export const systemoneVariants: readonly Variant[] = [
  {
    id: 'systemone.certain',
    what: 'Every answer is certain: its probabilities are 0 and 1.',
    override: bodies('systemone.result', (body) => eachAnswer(body, 1, 0)),
  },
  {
    id: 'systemone.impossible',
    what: 'Every `noul` is 0, and shares are rounded to 1.05 in sum.',
    override: bodies('systemone.result', (body) => eachAnswer(body, 0, 0.05)),
  },
];

/** A share of 1 for the first label or level, another for the second, and none for the others. */
function eachAnswer(body: JsonObject, noul: number, second: number): JsonObject {
  const answers = Object.entries(objectOrEmpty(body.answers)).map(([name, answer]) => {
    if (!isObject(answer)) return [name, answer];
    if (answer.type === 'noul') return [name, { ...answer, noul }];
    const labels = Object.keys(objectOrEmpty(answer.probabilities));
    const shares = labels.map((label, index) => [label, [1, second][index] ?? 0]);
    return [name, { ...answer, probabilities: Object.fromEntries(shares) }];
  });
  return changed(body, 'answers', () => Object.fromEntries(answers));
}
