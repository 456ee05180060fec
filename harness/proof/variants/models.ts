import {
  type FixtureModel,
  isArray,
  isObject,
  type JsonObject,
  Refusal,
} from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, handling, together } from '../planting.ts';
import type { Variant } from './variant.ts';

/** Models that the key may use, and that nobody tests. */
const others: readonly FixtureModel[] = Array.from({ length: 150 }, (_, index) => ({
  id: `other/model-${index}:${index % 2 === 0 ? 'large' : 'small'}`,
  protocols: ['vendorB', 'chat'],
  supports: [],
  lacks: [],
  thinks: false,
  permitted: [],
}));

function eachEntry(
  body: JsonObject,
  member: string,
  change: (entry: JsonObject) => JsonObject,
): JsonObject {
  return changed(body, member, (entries) =>
    isArray(entries) ? entries.map((entry) => (isObject(entry) ? change(entry) : entry)) : entries,
  );
}

export const modelsVariants: readonly Variant[] = [
  {
    id: 'models.many-more',
    what: 'Both lists have 150 more models, before and after those that are tested.',
    override: decide('listedModels', (native) => (key, call) => [
      ...others.slice(0, 100),
      ...native(key, call),
      ...others.slice(100),
    ]),
  },
  {
    id: 'models.more-members',
    what: 'Entries of both lists have more members than are documented, and so have the lists.',
    override: together(
      bodies('models.list', (body) => ({
        ...eachEntry(body, 'data', (entry) => ({ ...entry, shutdown_date: null, permission: [] })),
        has_more: false,
      })),
      bodies('models.catalog', (body) =>
        eachEntry(body, 'models', (entry) => ({ ...entry, thinking: true, maxTemperature: 2 })),
      ),
    ),
  },
  {
    id: 'models.entries-of-id-alone',
    what: 'Entries of the list have an id and nothing else.',
    warns: ['models/list.entry-fields'],
    override: bodies('models.list', (body) => eachEntry(body, 'data', ({ id }) => ({ id }))),
  },
  {
    id: 'models.catalog-of-names-alone',
    what: 'Entries of the catalog have a name and nothing else.',
    override: bodies('models.catalog', (body) =>
      eachEntry(body, 'models', ({ name }) => ({ name })),
    ),
  },
  {
    id: 'models.other-order',
    what: 'Both lists are in another order.',
    override: decide('listedModels', (native) => (key, call) => native(key, call).toReversed()),
  },
  {
    id: 'models.generative-left-out',
    what: 'The list lacks the models that declare generative-content alone.',
    override: decide(
      'listedModels',
      (native) => (key, call) =>
        native(key, call).filter(
          ({ protocols }) =>
            call.operation !== 'models.list' || protocols.some((name) => name !== 'vendorB'),
        ),
    ),
  },
  {
    id: 'models.last-page-empty-token',
    what: 'The last page of the catalog has an empty token for the next.',
    override: bodies('models.catalog', (body) =>
      changed(body, 'nextPageToken', (token) => token ?? ''),
    ),
  },
  {
    id: 'models.catalog-tokens-of-one-key',
    what: 'A page token of the catalog is good for the key that it was given to, and refused to others.',
    override: together(
      bodies('models.catalog', (body, { call }) =>
        changed(body, 'nextPageToken', (token) =>
          typeof token === 'string' ? `${call.key?.role}.${token}` : token,
        ),
      ),
      handling('models.catalog', (handle) => (call, key) => {
        const [role, token] = call.query.get('pageToken')?.split('.') ?? [];
        if (role === undefined || role === '') return handle(call, key);
        if (role !== key.role)
          throw new Refusal('invalid-value', 'Unknown page token.', 'pageToken');
        const query = new URLSearchParams(call.query);
        query.set('pageToken', token ?? '');
        return handle({ ...call, query }, key);
      }),
    ),
  },
  {
    id: 'systemone.more-members',
    what: 'System One answers with an id, a provider and the cost, and a dated model.',
    override: bodies('systemone.result', (body) => ({
      ...set(body, 'model', `${body.model}-2026-10`),
      id: 'so_1',
      provider: 'edge',
      usage: { ...Object(body.usage), cost: 0.000_01 },
    })),
  },
  {
    id: 'systemone.answers-alone',
    what: 'System One answers without the model and without usage.',
    override: bodies('systemone.result', (body) => without(body, 'model', 'usage')),
  },
  {
    id: 'systemone.probabilities-rounded',
    what: 'The probabilities of System One are cut to two decimals, and sum to 0.99.',
    override: bodies('systemone.result', (body) =>
      changed(body, 'answers', (answers) => {
        if (!isObject(answers)) return answers;
        return Object.fromEntries(
          Object.entries(answers).map(([name, answer]) => [name, lessOneHundredth(answer)]),
        );
      }),
    ),
  },
];

function lessOneHundredth(answer: JsonObject[string]): JsonObject[string] {
  const probabilities = memberAt(answer, 'probabilities');
  if (!isObject(answer) || !isObject(probabilities)) return answer;
  const largest = Math.max(...Object.values(probabilities).map(Number));
  const [name] = Object.entries(probabilities).find(([, share]) => share === largest) ?? [];
  if (name === undefined) return answer;
  const rounded = { ...probabilities, [name]: Math.round(100 * largest - 1) / 100 };
  return { ...answer, probabilities: rounded };
}
