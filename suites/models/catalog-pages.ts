import { type Exchange, scenario } from '../../harness/index.ts';
import {
  entriesOf,
  further,
  idsIn,
  includesModel,
  isPermitted,
  listedBy,
  mostPages,
  nextPage,
  ownersListing,
  restrictedListing,
} from '../scenarios/listings.ts';

/** The catalog once more, in pages of one model; of a long catalog, in about twenty pages. */
export const catalogInPages = scenario(
  'models/catalog-in-pages',
  { after: { whole: ownersListing.catalog }, cost: { requests: mostPages, generations: 0 } },
  async (io, { whole }) => {
    const pageSize = Math.max(1, Math.ceil(entriesOf(whole.pages).length / 20));
    const first = await io.lists.catalog({ pageSize });
    return { whole: whole.pages, pageSize, pages: await further(io, first, {}, { pageSize }) };
  },
);

/** The restricted key, with the token of a page of the owner's that it may not be shown as it is. */
export const tokenOfAnotherKey = scenario(
  'models/token-of-another-key',
  {
    needs: { keys: ['restricted'] },
    after: { paged: catalogInPages, restricted: restrictedListing.catalog },
    cost: { requests: 1, generations: 0 },
  },
  async ({ lists, target }, { paged: { pages, pageSize }, restricted }) => {
    const barred = listedBy(target, 'catalog').filter((model) => !isPermitted(model, 'restricted'));
    const shows = (page: Exchange | undefined) =>
      page !== undefined && barred.some((model) => includesModel(idsIn(page), model));
    const before = pages.find((_, index) => shows(pages[index + 1]));
    const pageToken = before === undefined ? null : nextPage(before);
    if (pageToken === null) return { control: restricted.pages, barred, page: null };
    const page = await lists.catalog({ pageSize, pageToken }, { key: 'restricted' });
    return { control: restricted.pages, barred, page };
  },
);
