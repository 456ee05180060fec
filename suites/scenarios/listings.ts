import {
  assumeServed,
  at,
  type CallOptions,
  type Exchange,
  each,
  expectValue,
  Inconclusive,
  type Io,
  isObject,
  jsonBody,
  listAt,
  type Model,
  NothingToJudge,
  nextPage,
  permittedKeys,
  scenario,
  type Target,
  textAt,
} from '../../harness/index.ts';
import { baseline } from './baselines.ts';

/** Name of a listing: the list of the `/v1` family, or the catalog of generative-content. */
export type Listing = 'list' | 'catalog';

export const listings = ['list', 'catalog'] as const;

export const listingEndpoint = { list: 'models', catalog: 'catalog' } as const;

/** Maximum number of pages, far more than any gateway has. For a longer catalog, only repetition can be judged. */
export const mostPages = 40;

/** All entries that each listing shows to the owner and to the restricted key. */
export const ownersListing = each(listings, (listing: Listing) =>
  scenario(
    `listings/owner/${listing}`,
    {
      after: { first: baseline[listingEndpoint[listing]] },
      cost: { requests: mostPages, spare: mostPages - 1, generations: 0 },
    },
    async (io, { first: { baseline: first } }) => ({ pages: await further(io, first) }),
  ),
);

/** Returns the page and all further pages; only the catalog has any. */
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

/** Returns the entries of all pages of a listing. */
export function entriesOf(pages: readonly Exchange[]): readonly unknown[] {
  return pages.flatMap((page) => {
    const body = jsonBody(page);
    const members = ['data', 'models'] as const;
    // A list may have both members, for the clients of another interface.
    const [own, other] = page.about.operation === 'models.catalog' ? members.toReversed() : members;
    return listAt(body, Array.isArray(at(body, own)) ? own : other);
  });
}

/** Returns the model id of an entry: `id`, or `name` without `models/`; null if it has neither. */
export function idOfEntry(entry: unknown): string | null {
  return textAt(entry, 'id') ?? textAt(entry, 'name')?.replace(/^models\//, '') ?? null;
}

/** True if the ids include the model. A catalog may percent-encode the id as in a path. */
export function includesModel(ids: readonly string[], { id }: Model): boolean {
  return ids.includes(id) || ids.includes(encodeURIComponent(id));
}

/** Returns the models of the target file that belong in the listing. */
export function listedBy(target: Target, listing: Listing): Model[] {
  return target.models.filter(({ protocols }) =>
    listing === 'catalog' ? protocols.includes('generative') : !isGenerativeAlone(protocols),
  );
}

/** A key whose listing is read. */
type ListedKey = ReturnType<typeof permittedKeys>[number];

export function isGenerativeAlone(protocols: Model['protocols']): boolean {
  return protocols.every((protocol) => protocol === 'generative');
}

export function isPermitted(model: Model, key: ListedKey): boolean {
  return permittedKeys(model).includes(key);
}

/** Returns the ids of a complete listing. A missing entry proves nothing in an incomplete one. */
export function whole(pages: readonly Exchange[]): string[] {
  assumeServed(pages);
  const last = lastOf(pages);
  if (nextPage(last) !== null) {
    throw new Inconclusive(`the catalog has no end after ${pages.length} pages`, last);
  }
  return idsOf(pages);
}

/** Returns the last page that was fetched. */
export function lastOf(pages: readonly Exchange[]): Exchange {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('A listing has one page at least');
  return last;
}

/**
 * Returns the ids in the pages of a listing, in their order.
 *
 * @throws Inconclusive if an entry has none
 */
export function idsOf(pages: readonly Exchange[]): string[] {
  return entriesOf(pages).map((entry) => {
    const id = idOfEntry(entry);
    if (id !== null) return id;
    throw new Inconclusive(`an entry names no model: ${JSON.stringify(entry)}`, lastOf(pages));
  });
}

/** True if the last page is an empty object. */
export function isBlank(pages: readonly Exchange[]): boolean {
  const body = jsonBody(lastOf(pages));
  return lastOf(pages).response?.status === 200 && isObject(body) && Object.keys(body).length === 0;
}

/** One listing as shown to the owner and to the restricted key. */
interface TwoListings {
  readonly owner: readonly Exchange[];
  /** Pages shown to the restricted key. */
  readonly pages: readonly Exchange[];
}

/**
 * Judges that the restricted key sees none of its forbidden models, given that the owner sees them.
 *
 * @param listed the models that belong in the listing
 */
export function expectPermittedOnly({ owner, pages }: TwoListings, listed: readonly Model[]): void {
  const owners = whole(owner);
  // Protobuf JSON omits an empty list.
  const shown = isBlank(pages) ? [] : whole(pages);
  const barred = listed.filter((model) => !isPermitted(model, 'restricted'));
  const shownToOwner = barred.filter((model) => includesModel(owners, model));
  if (barred.length === 0)
    throw new NothingToJudge('the restricted key may use every model that is listed');
  if (shownToOwner.length === 0) {
    const reason = 'the owner is shown no model that the restricted key may not use';
    throw new Inconclusive(reason, lastOf(owner));
  }
  expectValue(shown, { as: 'models of the restricted key', of: lastOf(pages) }).toBe(
    `without ${shownToOwner.map(({ id }) => id).join(', ')}`,
    () => !shownToOwner.some((model) => includesModel(shown, model)),
  );
}
