import {
  type Call,
  type Defect,
  type FixtureModel,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Key,
} from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, renamed, without } from '../editing.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';

const list = 'models.list';
const catalog = 'models.catalog';

/** Nothing answers a GET at this path. */
function withoutRoute(path: string): Defect['override'] {
  return ({ endpoints }) => ({
    endpoints: {
      routes: (dialect) =>
        endpoints
          .routes(dialect)
          .filter((route) => route.method !== 'GET' || !route.path.test(path)),
    },
  });
}

/** Keys besides the owner's: in ids, and in the gateway. */
const furtherKeys = [
  ['same-user', 'sameUser'],
  ['other-user', 'otherUser'],
  ['restricted', 'restricted'],
] as const;

const modelsOwnFaults: readonly Fault[] = [
  {
    id: 'models.no-list',
    what: 'There is no list of models under `/v1`.',
    breaks: ['models/list.served'],
    override: withoutRoute('/v1/models'),
  },
  {
    id: 'models.no-catalog',
    what: 'There is no catalog of the models of generative-content.',
    breaks: ['models/catalog.served'],
    override: withoutRoute('/v1beta/models'),
  },
  {
    id: 'models.list-framed-twice',
    what: 'The list has a length, and comes in chunks.',
    breaks: ['models/list.served'],
    override: ({ transport }) => ({
      transport: {
        send: async (out, head, body, context) => {
          const { call, refusal } = context;
          if (call.operation !== list || refusal !== null)
            return transport.send(out, head, body, context);
          out.socket?.end(
            `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
              `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          );
        },
      },
    }),
  },
  {
    id: 'models.no-object',
    what: 'The list does not say that it is one.',
    breaks: ['models/list.shape'],
    override: bodies(list, (body) => without(body, 'object')),
  },
  {
    id: 'models.bare-ids',
    what: 'The entries of the list are the ids alone, as strings.',
    breaks: ['models/list.shape'],
    override: bodies(list, (body) => eachEntry(body, 'data', ({ id }) => id)),
  },
  {
    id: 'models.catalog-style',
    what: 'The list is that of the generative-content protocol, with `models`.',
    breaks: ['models/list.shape'],
    override: bodies(list, (body) => renamed(body, 'data', 'models')),
  },
  {
    id: 'models.first-missing',
    what: 'The list begins with the second model.',
    breaks: ['models/list.has-usable-models'],
    override: listing('models.list', (models) => models.slice(1)),
  },
  {
    id: 'models.responses-only',
    what: 'The list has only the models that declare Responses.',
    breaks: ['models/list.has-usable-models'],
    override: listing('models.list', (models) =>
      models.filter(({ protocols }) => protocols.includes('responses')),
    ),
  },
  {
    id: 'models.generative-only',
    what: 'The list has only the models that declare generative-content.',
    breaks: ['models/list.has-usable-models'],
    override: listing('models.list', (models) =>
      models.filter(({ protocols }) => protocols.includes('vendorB')),
    ),
  },
  {
    id: 'models.prefixed-ids',
    what: 'The ids of the list begin with `models/`, and are no ids that a request may name.',
    breaks: ['models/list.has-usable-models'],
    override: bodies(list, (body) =>
      eachEntry(body, 'data', (entry) => ({ ...entry, id: `models/${entry.id}` })),
    ),
  },
  {
    id: 'models.list-unfiltered',
    what: 'The list shows every model to every key.',
    breaks: ['models/list.permitted-only'],
    override: listing('models.list', (_models, { gateway }) => gateway.models),
  },
  {
    id: 'models.list-shows-one-more',
    what: 'The list shows one model to a key that may not use it.',
    breaks: ['models/list.permitted-only'],
    override: listing('models.list', (models, { gateway }) => {
      const barred = gateway.models.find((model) => !models.includes(model));
      return barred === undefined ? models : [...models, barred];
    }),
  },
  ...(['list', 'catalog'] as const).flatMap((name) =>
    furtherKeys.flatMap(([named, role]): Fault[] => [
      {
        id: `models.${name}-lacks-one-for-${named}`,
        what: `The ${name} of the ${named} key lacks the first model that this key may use.`,
        breaks: [`models/${name}.has-usable-models-by-key:${named}`],
        override: listing(`models.${name}`, (models, call) =>
          call.key?.role === role ? models.slice(1) : models,
        ),
      },
    ]),
  ),
  {
    id: 'models.no-owner',
    what: 'The entries of the list lack `owned_by`.',
    breaks: ['models/list.entry-fields'],
    override: bodies(list, (body) =>
      eachEntry(body, 'data', (entry) => without(entry, 'owned_by')),
    ),
  },
  {
    id: 'models.created-is-text',
    what: '`created` is a date as text.',
    breaks: ['models/list.entry-fields'],
    override: bodies(list, (body) =>
      eachEntry(body, 'data', (entry) => ({ ...entry, created: '2026-01-01T00:00:00Z' })),
    ),
  },
  {
    id: 'models.listed-twice',
    what: 'A model with two channels stands in the list twice.',
    breaks: ['models/list.ids-unique'],
    override: bodies(list, (body) =>
      changed(body, 'data', (data) => (isArray(data) ? [...data.slice(0, 1), ...data] : data)),
    ),
  },
  {
    id: 'models.catalog-bare-names',
    what: 'Names in the catalog do not begin with `models/`.',
    breaks: ['models/catalog.shape'],
    override: bodies(catalog, (body) =>
      eachEntry(body, 'models', (entry) => ({ ...entry, name: entry.baseModelId })),
    ),
  },
  {
    id: 'models.catalog-openai-style',
    what: 'The catalog has `data`, like the list of the `/v1` family.',
    breaks: ['models/catalog.shape'],
    override: bodies(catalog, (body) => renamed(body, 'models', 'data')),
  },
  {
    id: 'models.catalog-first-missing',
    what: 'The catalog begins with the second model.',
    breaks: ['models/catalog.has-usable-models'],
    override: listing('models.catalog', (models) => models.slice(1)),
  },
  {
    id: 'models.catalog-shared-only',
    what: 'The catalog lacks the models that declare generative-content alone.',
    breaks: ['models/catalog.has-usable-models'],
    override: listing('models.catalog', (models) =>
      models.filter(({ protocols }) => protocols.length > 1),
    ),
  },
  {
    id: 'models.catalog-unfiltered',
    what: 'The catalog shows every model to every key.',
    breaks: ['models/catalog.permitted-only'],
    override: listing('models.catalog', (_models, { gateway }) =>
      gateway.models.filter(({ protocols }) => protocols.includes('vendorB')),
    ),
  },
  ...(['v1beta', 'v1'] as const).flatMap((family) =>
    (
      [
        ['generate-content', 'generateContent', 'generative.generate'],
        ['stream-generate-content', 'streamGenerateContent', 'generative.stream'],
        ['count-tokens', 'countTokens', 'generative.count-tokens'],
      ] as const
    ).map(
      ([value, action, operation]): Fault => ({
        id: `models.path-decoded-early-${value}-${family}`,
        what: `Under /${family}, \`${action}\` finds no model whose id has to be URL-encoded.`,
        breaks: [`models/path.special-characters:${value}.${family}`],
        override: decide(
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
  ),
];

/** Changes which models a list shows. */
function listing(
  operation: 'models.list' | 'models.catalog',
  change: (models: readonly FixtureModel[], call: Call, key: Key) => readonly FixtureModel[],
): Defect['override'] {
  return decide('listedModels', (native) => (key, call) => {
    const models = native(key, call);
    return call.operation === operation ? change(models, call, key) : models;
  });
}

function eachEntry(
  body: JsonObject,
  member: string,
  change: (entry: JsonObject) => Json | undefined,
): JsonObject {
  return changed(body, member, (entries) =>
    isArray(entries)
      ? entries.flatMap((entry) => (isObject(entry) ? (change(entry) ?? []) : [entry]))
      : entries,
  );
}

// The pages of the catalog, and the tokens that lead to them.

const catalogPageFaults: readonly Fault[] = [
  {
    id: 'models.catalog-page-size-ignored',
    what: 'Every page of the catalog has two models more than were asked for.',
    breaks: ['models/catalog.pages'],
    override: handling('models.catalog', (handle) => (call, key) => {
      const size = call.query.get('pageSize');
      if (size === null) return handle(call, key);
      const query = new URLSearchParams(call.query);
      query.set('pageSize', String(Number(size) + 2));
      return handle({ ...call, query }, key);
    }),
  },
  {
    id: 'models.catalog-token-of-anybody',
    what: 'Behind a page token the catalog shows every model to every key.',
    breaks: ['models/catalog.page-token-bound-to-key'],
    override: listing('models.catalog', (models, { gateway, query }) =>
      query.has('pageToken')
        ? gateway.models.filter(({ protocols }) => protocols.includes('vendorB'))
        : models,
    ),
  },
  {
    id: 'models.catalog-page-skips',
    what: 'Each page of the catalog begins one model too late.',
    breaks: ['models/catalog.pages'],
    override: bodies(catalog, (body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageSize') ? shifted(token, 1) : token,
      ),
    ),
  },
  {
    id: 'models.catalog-page-repeats',
    what: 'Each page of the catalog begins with the last model of the page before, so that pages of one never end.',
    breaks: ['models/catalog.pages'],
    override: bodies(catalog, (body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageSize') ? shifted(token, -1) : token,
      ),
    ),
  },
  {
    id: 'models.catalog-later-page-skips',
    what: 'From the third on, each page of the catalog begins one model too late.',
    breaks: ['models/catalog.pages'],
    override: bodies(catalog, (body, { call }) =>
      changed(body, 'nextPageToken', (token) =>
        typeof token === 'string' && call.query.has('pageToken') ? shifted(token, 1) : token,
      ),
    ),
  },
  {
    id: 'models.catalog-in-circles',
    what: 'Behind the last page of the catalog comes its first.',
    breaks: ['models/catalog.pages'],
    override: bodies(catalog, (body) => ({
      ...body,
      nextPageToken: body.nextPageToken ?? pageToken(0),
    })),
  },
];

/** The page token for a page that starts later. */
function shifted(token: string, by: number): string {
  const start = Number(Buffer.from(token, 'base64url').toString().replace('start=', ''));
  return pageToken(start + by);
}

function pageToken(start: number): string {
  return Buffer.from(`start=${start}`).toString('base64url');
}

export const modelsFaults: readonly Fault[] = [...modelsOwnFaults, ...catalogPageFaults];
