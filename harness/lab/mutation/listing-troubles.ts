import { bodies, endpointOf, together } from '../../proof/index.ts';
import { type Defect, isArray } from '../../reference/index.ts';
import { answeringAt } from './answering-at.ts';

/** Lists of models that say nothing about what they should, or not to everybody. */
export const listingTroubles: readonly Defect[] = [
  ...[401, 403].map((status) => ({
    id: `listings-refuse:${status}`,
    what: 'Both lists of models take the key in another header.',
    override: answeringAt(
      ({ call }) => endpointOf(call) === 'models' || endpointOf(call) === 'catalog',
      status,
      { error: { type: 'authentication_error', message: 'There is no key.' } },
    ),
  })),
  {
    id: 'listings-empty',
    what: 'Both lists show no model to anybody.',
    override: () => ({ policy: { listedModels: () => [] } }),
  },
  {
    id: 'listings-nameless',
    what: 'Both lists show models, and not which.',
    override: together(
      bodies('models.list', () => ({ object: 'list', data: [{ object: 'model' }] })),
      bodies('models.catalog', () => ({ models: [{ version: '001' }] })),
    ),
  },
  {
    id: 'catalog-vast',
    what: 'The catalog has more pages than anybody would turn.',
    override: bodies('models.catalog', ({ models = [] }, { call }) => {
      const token = Buffer.from(call.query.get('pageToken') ?? '', 'base64url').toString();
      const start = Number(token.replace('start=', '')) + 1;
      return {
        models: [...(isArray(models) ? models : []), { name: `models/other-${start}` }],
        nextPageToken: Buffer.from(`start=${start + 50}`).toString('base64url'),
      };
    }),
  },
  {
    id: 'catalog-twice',
    what: 'The catalog has its first model twice where nobody asks for pages of a size.',
    override: bodies('models.catalog', (body, { call }) => {
      const { models = [] } = body;
      if (!isArray(models) || call.query.has('pageSize')) return body;
      return { ...body, models: [...models.slice(0, 1), ...models] };
    }),
  },
  {
    id: 'catalog-broken',
    what: 'The restricted key gets an error with an empty object, where the catalog should be.',
    override: answeringAt(
      ({ call }) => endpointOf(call) === 'catalog' && call.key?.role === 'restricted',
      500,
      {},
    ),
  },
];
