import {
  at,
  type Exchange,
  each,
  type Io,
  jsonBody,
  type KeyName,
  listAt,
  type Model,
  permittedKeys,
  scenario,
  type Target,
  textAt,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';

/** The list of the `/v1` family, and the catalog of generative-content. */
export type Listing = 'list' | 'catalog';

export const listings = ['list', 'catalog'] as const;

export const listingEndpoint = { list: 'models', catalog: 'catalog' } as const;

/** Far more than any gateway has; a catalog that never ends is a row of its own. */
const mostPages = 40;

/** Everything that the owner, and everything that the restricted key is shown. */
export const ownersListing = each(listings, (listing: Listing) =>
  scenario(
    `models/owner/${listing}`,
    {
      after: { first: ordinary[listingEndpoint[listing]] },
      cost: { requests: mostPages, generations: 0 },
    },
    async (io, { first: { ordinary: first } }) => ({ pages: await further(io, first, 'owner') }),
  ),
);

export const restrictedListing = each(listings, (listing: Listing) =>
  scenario(
    `models/restricted/${listing}`,
    {
      needs: { keys: ['restricted'] },
      after: { owner: ownersListing[listing] },
      cost: { requests: mostPages, generations: 0 },
    },
    async (io, { owner }) => {
      const first = await io.ask(listingEndpoint[listing], {}, { key: 'restricted' });
      return { owner: owner.pages, pages: await further(io, first, 'restricted') };
    },
  ),
);

/** The catalog once more, in pages of one model; of a long catalog, in about twenty pages. */
export const catalogInPages = scenario(
  'models/catalog-in-pages',
  { after: { whole: ownersListing.catalog }, cost: { requests: mostPages, generations: 0 } },
  async (io, { whole }) => {
    const pageSize = Math.ceil(modelsOf(whole.pages).length / 20);
    const first = await io.lists.catalog({ pageSize: Math.max(1, pageSize) });
    return { whole: whole.pages, pages: await further(io, first, 'owner', pageSize) };
  },
);

/** The page and those behind it; only the catalog has any. */
async function further(
  { lists }: Io,
  first: Exchange,
  key: KeyName,
  pageSize?: number,
): Promise<readonly Exchange[]> {
  const pages = [first];
  const size = pageSize === undefined ? {} : { pageSize };
  for (let token = nextPage(first); token !== null && pages.length < mostPages; ) {
    const page = await lists.catalog({ ...size, pageToken: token }, { key });
    pages.push(page);
    token = nextPage(page);
  }
  return pages;
}

/** The token of the next page; null on the last. */
export function nextPage(page: Exchange | undefined): string | null {
  return page === undefined ? null : textAt(jsonBody(page), 'nextPageToken') || null;
}

/** The ids of the models that an answer, or the pages of one, shows. */
export function modelsOf(pages: readonly Exchange[]): string[] {
  return pages.flatMap((page) => {
    const body = jsonBody(page);
    const ids = listAt(body, 'data').map((entry) => textAt(entry, 'id'));
    const names = listAt(body, 'models').map((entry) => idOfName(at(entry, 'name')));
    return [...ids, ...names].filter((id) => id !== null);
  });
}

/** The id in `models/<MODEL_ID>`, which may stand there as it would in a path. */
function idOfName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const id = name.replace(/^models\//, '');
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The models of the target file that the listing is for. */
export function listedBy(target: Target, listing: Listing): Model[] {
  return target.models.filter(({ protocols }) =>
    listing === 'catalog' ? protocols.includes('generative') : !isGenerativeAlone(protocols),
  );
}

export function isGenerativeAlone(protocols: Model['protocols']): boolean {
  return protocols.every((protocol) => protocol === 'generative');
}

export function isPermitted(model: Model, key: 'owner' | 'restricted'): boolean {
  return permittedKeys(model).includes(key);
}
