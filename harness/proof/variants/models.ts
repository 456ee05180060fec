import { type FixtureModel, isObject, type JsonObject, Refusal } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, dropping, eachEntry, memberAt, set } from '../editing.ts';
import { bodies, handling, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

/** Models that the key may use, but that no check tests. */
const others: readonly FixtureModel[] = Array.from({ length: 150 }, (_, index) => ({
  id: `other/model-${index}:${index % 2 === 0 ? 'large' : 'small'}`,
  protocols: ['vendorB', 'chat'],
  supports: [],
  lacks: [],
  thinks: false,
  permitted: [],
}));

export const modelsVariants: readonly Variant[] = planted({
  'models.many-more': decide('listedModels', (native) => (key, call) => [
    ...others.slice(0, 100),
    ...native(key, call),
    ...others.slice(100),
  ]),
  'models.more-members': together(
    bodies('models.list', (body) => ({
      ...eachEntry(body, 'data', (entry) => ({ ...entry, shutdown_date: null, permission: [] })),
      has_more: false,
    })),
    bodies('models.catalog', (body) =>
      eachEntry(body, 'models', (entry) => ({ ...entry, thinking: true, maxTemperature: 2 })),
    ),
  ),
  'models.entries-of-id-alone': bodies('models.list', (body) =>
    eachEntry(body, 'data', ({ id }) => ({ id })),
  ),
  'models.catalog-of-names-alone': bodies('models.catalog', (body) =>
    eachEntry(body, 'models', ({ name }) => ({ name })),
  ),
  'models.other-order': decide(
    'listedModels',
    (native) => (key, call) => native(key, call).toReversed(),
  ),
  'models.generative-left-out': decide(
    'listedModels',
    (native) => (key, call) =>
      native(key, call).filter(
        ({ protocols }) =>
          call.operation !== 'models.list' || protocols.some((name) => name !== 'vendorB'),
      ),
  ),
  'models.last-page-empty-token': bodies('models.catalog', (body) =>
    changed(body, 'nextPageToken', (token) => token ?? ''),
  ),
  'models.catalog-tokens-of-one-key': together(
    bodies('models.catalog', (body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' ? `${call.key?.role}.${token}` : token,
      ),
    ),
    handling('models.catalog', (handle) => (call, key) => {
      const [role, token] = call.query.get('pageToken')?.split('.') ?? [];
      if (role === undefined || role === '') return handle(call, key);
      if (role !== key.role) throw new Refusal('invalid-value', 'Unknown page token.', 'pageToken');
      const query = new URLSearchParams(call.query);
      query.set('pageToken', token ?? '');
      return handle({ ...call, query }, key);
    }),
  ),
  'systemone.more-members': bodies('systemone.result', (body) => ({
    ...set(body, 'model', `${body.model}-2026-10`),
    id: 'so_1',
    provider: 'edge',
    usage: { ...Object(body.usage), cost: 0.000_01 },
  })),
  'systemone.answers-alone': bodies('systemone.result', dropping('model', 'usage')),
  'systemone.probabilities-rounded': bodies('systemone.result', (body) =>
    changed(body, 'answers', (answers) => {
      if (!isObject(answers)) return answers;
      return Object.fromEntries(
        Object.entries(answers).map(([name, answer]) => [name, lessOneHundredth(answer)]),
      );
    }),
  ),
});

function lessOneHundredth(answer: JsonObject[string]): JsonObject[string] {
  const probabilities = memberAt(answer, 'probabilities');
  if (!isObject(answer) || !isObject(probabilities)) return answer;
  const largest = Math.max(...Object.values(probabilities).map(Number));
  const [name] = Object.entries(probabilities).find(([, share]) => share === largest) ?? [];
  if (name === undefined) return answer;
  const rounded = { ...probabilities, [name]: Math.round(100 * largest - 1) / 100 };
  return { ...answer, probabilities: rounded };
}
