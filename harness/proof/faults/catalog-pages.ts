import { changed } from '../editing.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';
import { catalog, listing } from './models.ts';

// The pages of the catalog, and the tokens that lead to them.

export const catalogPageFaults: readonly Fault[] = [
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

/** A page token that starts so many models later. */
function shifted(token: string, by: number): string {
  const start = Number(Buffer.from(token, 'base64url').toString().replace('start=', ''));
  return pageToken(start + by);
}

function pageToken(start: number): string {
  return Buffer.from(`start=${start}`).toString('base64url');
}
