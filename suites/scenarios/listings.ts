import {
  type CallOptions,
  type Exchange,
  each,
  type Io,
  jsonBody,
  listAt,
  type Model,
  permittedKeys,
  scenario,
  type Target,
  textAt,
} from '../../harness/index.ts';
import { baseline } from './baselines.ts';

/** The list of the `/v1` family, and the catalog of generative-content. */
export type Listing = 'list' | 'catalog';

export const listings = ['list', 'catalog'] as const;

export const listingEndpoint = { list: 'models', catalog: 'catalog' } as const;

/** Far more than any gateway has; of a longer catalog nothing can be said, but that it repeats itself. */
export const mostPages = 40;

/** Everything that the owner, and everything that the restricted key is shown. */
export const ownersListing = each(listings, (listing: Listing) =>
  scenario(
    `models/owner/${listing}`,
    {
      after: { first: baseline[listingEndpoint[listing]] },
      cost: { requests: mostPages, generations: 0 },
    },
    async (io, { first: { baseline: first } }) => ({ pages: await further(io, first) }),
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
      const restricted = { key: 'restricted' } as const;
      const first = await io.ask(listingEndpoint[listing], {}, restricted);
      return { owner: owner.pages, pages: await further(io, first, restricted) };
    },
  ),
);

/** What the two keys are shown in the second region. */
export const furtherListing = each(listings, (listing: Listing) =>
  scenario(
    `models/second-region/${listing}`,
    {
      needs: { keys: ['restricted'], regions: 2 },
      after: { owner: ownersListing[listing] },
      cost: { requests: 2 * mostPages, generations: 0, chain: mostPages },
    },
    async (io) => {
      const shownTo = async (lane: Io, as: CallOptions) => {
        const first = await lane.ask(listingEndpoint[listing], {}, as);
        return further(lane, first, as);
      };
      const region = io.otherRegion;
      const [owner, pages] = await Promise.all([
        shownTo(io.lane('owner'), { region }),
        shownTo(io.lane('restricted'), { region, key: 'restricted' }),
      ]);
      return { owner, pages };
    },
  ),
);

/** The ids that a page shows. */
export function idsIn(page: Exchange): string[] {
  return entriesOf([page]).flatMap((entry) => idOfEntry(entry) ?? []);
}

/** The page and those behind it; only the catalog has any. */
export async function further(
  { lists }: Io,
  first: Exchange,
  as: CallOptions = {},
  size: { readonly pageSize?: number } = {},
): Promise<readonly Exchange[]> {
  const pages = [first];
  for (let token = nextPage(first); token !== null && pages.length < mostPages; ) {
    const page = await lists.catalog({ ...size, pageToken: token }, as);
    pages.push(page);
    token = nextPage(page);
  }
  return pages;
}

/** The token of the next page; null on the last. */
export function nextPage(page: Exchange): string | null {
  return textAt(jsonBody(page), 'nextPageToken') || null;
}

/** The entries of an answer, or of the pages of one. */
export function entriesOf(pages: readonly Exchange[]): readonly unknown[] {
  return pages.flatMap((page) => {
    const body = jsonBody(page);
    return [...listAt(body, 'data'), ...listAt(body, 'models')];
  });
}

/** The id of the model that an entry shows: `id`, or the `name` without `models/`; null for none. */
export function idOfEntry(entry: unknown): string | null {
  return textAt(entry, 'id') ?? textAt(entry, 'name')?.replace(/^models\//, '') ?? null;
}

/** Whether the ids have that of the model; in a catalog it may be encoded, as it is in a path. */
export function includesModel(ids: readonly string[], { id }: Model): boolean {
  return ids.includes(id) || ids.includes(encodeURIComponent(id));
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
