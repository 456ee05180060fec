import {
  type Call,
  type Defect,
  type FixtureModel,
  isArray,
  type Key,
} from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, dropping, eachEntry, renaming } from '../editing.ts';
import { bodiesOf, handling, type Override, seam } from '../planting.ts';
import type { Fault } from './fault.ts';
import { each, planted } from './planted.ts';

const list = 'models.list';

const inList = bodiesOf('models.list');
const inCatalog = bodiesOf('models.catalog');

/** Removes the route for a GET at this path. */
function withoutRoute(path: string): Defect['override'] {
  return seam(
    'endpoints',
    'routes',
    (native) => (dialect) =>
      native(dialect).filter((route) => route.method !== 'GET' || !route.path.test(path)),
  );
}

/** Keys other than the owner's: names in ids, and in the gateway. */
const furtherKeys = [
  ['same-user', 'sameUser'],
  ['other-user', 'otherUser'],
  ['restricted', 'restricted'],
] as const;

function generativeOf(models: readonly FixtureModel[]): readonly FixtureModel[] {
  return models.filter(({ protocols }) => protocols.includes('vendorB'));
}

function lackingFirst(list: 'models.list' | 'models.catalog', role: Key['role']): Override {
  return listing(list, (models, { key }) => (key?.role === role ? models.slice(1) : models));
}

function listing(
  operation: 'models.list' | 'models.catalog',
  change: (models: readonly FixtureModel[], call: Call, key: Key) => readonly FixtureModel[],
): Defect['override'] {
  return decide('listedModels', (native) => (key, call) => {
    const models = native(key, call);
    return call.operation === operation ? change(models, call, key) : models;
  });
}

// Pages of the catalog, and their page tokens.

/** Returns the page token for a page with a later start. */
function laterPage(token: string, by: number): string {
  const start = Number(Buffer.from(token, 'base64url').toString().replace('start=', ''));
  return pageToken(start + by);
}

function pageToken(start: number): string {
  return Buffer.from(`start=${start}`).toString('base64url');
}

export const modelsFaults: readonly Fault[] = [
  ...planted({
    'models.no-list': withoutRoute('/v1/models'),
    'models.no-catalog': withoutRoute('/v1beta/models'),
    'models.list-framed-twice': seam(
      'transport',
      'send',
      (native) => async (out, head, body, context) => {
        const { call, refusal } = context;
        if (call.operation !== list || refusal !== null) return native(out, head, body, context);
        out.socket?.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
            `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        );
      },
    ),
    'models.no-object': inList(dropping('object')),
    'models.bare-ids': inList((body) => eachEntry(body, 'data', ({ id }) => id)),
    'models.catalog-style': inList(renaming('data', 'models')),
    'models.first-missing': listing('models.list', (models) => models.slice(1)),
    'models.responses-only': listing('models.list', (models) =>
      models.filter(({ protocols }) => protocols.includes('responses')),
    ),
    'models.generative-only': listing('models.list', generativeOf),
    'models.prefixed-ids': inList((body) =>
      eachEntry(body, 'data', (entry) => ({ ...entry, id: `models/${entry.id}` })),
    ),
    'models.list-unfiltered': listing('models.list', (_models, { gateway }) => gateway.models),
    'models.list-shows-one-more': listing('models.list', (models, { gateway }) => {
      const barred = gateway.models.find((model) => !models.includes(model));
      return barred === undefined ? models : [...models, barred];
    }),
    'models.list-with-a-query-unfiltered': listing('models.list', (models, { gateway, query }) =>
      query.size > 0 ? gateway.models : models,
    ),
    'models.no-owner': inList((body) => eachEntry(body, 'data', dropping('owned_by'))),
    'models.created-is-text': inList((body) =>
      eachEntry(body, 'data', (entry) => ({ ...entry, created: '2026-01-01T00:00:00Z' })),
    ),
    'models.listed-twice': inList((body) =>
      changed(body, 'data', (data) => (isArray(data) ? [...data.slice(0, 1), ...data] : data)),
    ),
    'models.catalog-bare-names': inCatalog((body) =>
      eachEntry(body, 'models', (entry) => ({ ...entry, name: entry.baseModelId })),
    ),
    'models.catalog-openai-style': inCatalog(renaming('models', 'data')),
    'models.catalog-first-missing': listing('models.catalog', (models) => models.slice(1)),
    'models.catalog-shared-only': listing('models.catalog', (models) =>
      models.filter(({ protocols }) => protocols.length > 1),
    ),
    'models.catalog-unfiltered': listing('models.catalog', (_models, { gateway }) =>
      generativeOf(gateway.models),
    ),
  }),
  ...each(furtherKeys, ([, role]) => ({
    'models.list-lacks-one-for-{0}': lackingFirst('models.list', role),
    'models.catalog-lacks-one-for-{0}': lackingFirst('models.catalog', role),
  })),
  ...each(
    (
      [
        ['generate-content', 'generateContent', 'generative.generate'],
        ['stream-generate-content', 'streamGenerateContent', 'generative.stream'],
        ['count-tokens', 'countTokens', 'generative.count-tokens'],
      ] as const
    ).flatMap((action) =>
      (['v1beta', 'v1'] as const).map((family) => [...action, family] as const),
    ),
    ([, , operation, family]) => ({
      'models.path-decoded-early-{0}-{3}': decide(
        'findModel',
        (native) => (id, call) =>
          call.operation === operation &&
          call.path.startsWith(`/${family}/`) &&
          encodeURIComponent(id) !== id
            ? undefined
            : native(id, call),
      ),
    }),
  ),
  ...planted({
    'models.catalog-page-size-ignored': handling('models.catalog', (handle) => (call, key) => {
      const size = call.query.get('pageSize');
      if (size === null) return handle(call, key);
      const query = new URLSearchParams(call.query);
      query.set('pageSize', String(Number(size) + 2));
      return handle({ ...call, query }, key);
    }),
    'models.catalog-token-of-anybody': listing('models.catalog', (models, { gateway, query }) =>
      query.has('pageToken') ? generativeOf(gateway.models) : models,
    ),
    'models.catalog-page-size-unfiltered': listing(
      'models.catalog',
      (models, { gateway, query }) =>
        query.has('pageSize') && !query.has('pageToken') ? generativeOf(gateway.models) : models,
    ),
    'models.catalog-page-skips': inCatalog((body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageSize') ? laterPage(token, 1) : token,
      ),
    ),
    'models.catalog-page-repeats': inCatalog((body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageSize') ? laterPage(token, -1) : token,
      ),
    ),
    'models.catalog-later-page-skips': inCatalog((body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageToken') ? laterPage(token, 1) : token,
      ),
    ),
    'models.catalog-in-circles': inCatalog((body) => ({
      ...body,
      nextPageToken: body.nextPageToken ?? pageToken(0),
    })),
  }),
];
