import {
  answerOf,
  assumeServed,
  type Call,
  type CallOptions,
  check,
  type Exchange,
  ExpectationFailed,
  each,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  isRefused,
  isServed,
  json,
  type Model,
  NothingToJudge,
  nextPage,
  permittedKeys,
  requestInWords,
  scenario,
  type Target,
  violations,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { bodyDueAt } from '../scenarios/exchanges.ts';

/** Name of a listing: the list of the `/v1` family, or the catalog of generative-content. */
type Listing = 'list' | 'catalog';

const listings = ['list', 'catalog'] as const;

const listingEndpoint = { list: 'models', catalog: 'catalog' } as const;

/** Maximum number of pages, far more than any gateway has. For a longer catalog, only repetition can be judged. */
const mostPages = 40;

/** All entries that each listing shows to the owner and to the restricted key. */
const ownersListing = each(listings, (listing: Listing) =>
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
async function further(
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

function entriesOf(pages: readonly Exchange[]): readonly unknown[] {
  return pages.flatMap((page) => {
    const body = answerOf(page).value;
    const members = ['data', 'models'] as const;
    // A list may have both members, for the clients of another interface.
    const [own, other] = page.about.operation === 'models.catalog' ? members.toReversed() : members;
    return json.list(body, Array.isArray(json.at(body, own)) ? own : other);
  });
}

/** Returns the model id of an entry: `id`, or `name` without `models/`; null if it has neither. */
function idOfEntry(entry: unknown): string | null {
  return json.text(entry, 'id') ?? json.text(entry, 'name')?.replace(/^models\//, '') ?? null;
}

/** True if the ids include the model. A catalog may percent-encode the id as in a path. */
function includesModel(ids: readonly string[], { id }: Model): boolean {
  return ids.includes(id) || ids.includes(encodeURIComponent(id));
}

/** Returns the models of the target file that belong in the listing. */
function listedBy(target: Target, listing: Listing): Model[] {
  return target.models.filter(({ protocols }) =>
    listing === 'catalog' ? protocols.includes('generative') : !isGenerativeAlone(protocols),
  );
}

type ListedKey = ReturnType<typeof permittedKeys>[number];

function isGenerativeAlone(protocols: Model['protocols']): boolean {
  return protocols.every((protocol) => protocol === 'generative');
}

function isPermitted(model: Model, key: ListedKey): boolean {
  return permittedKeys(model).includes(key);
}

/** Returns the ids of a complete listing. A missing entry proves nothing in an incomplete one. */
function whole(pages: readonly Exchange[]): string[] {
  assumeServed(pages);
  const last = lastOf(pages);
  if (nextPage(last) !== null) {
    throw new Inconclusive(`the catalog has no end after ${pages.length} pages`, last);
  }
  return idsOf(pages);
}

/** Returns the last page that was fetched. */
function lastOf(pages: readonly Exchange[]): Exchange {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('A listing has one page at least');
  return last;
}

/**
 * Returns the ids in the pages of a listing, in their order.
 *
 * @throws Inconclusive if an entry has none
 */
function idsOf(pages: readonly Exchange[]): string[] {
  return entriesOf(pages).map((entry) => {
    const id = idOfEntry(entry);
    if (id !== null) return id;
    throw new Inconclusive(`an entry names no model: ${JSON.stringify(entry)}`, lastOf(pages));
  });
}

/** True if the last page is an empty object. */
function isBlank(pages: readonly Exchange[]): boolean {
  const body = answerOf(lastOf(pages)).value;
  return (
    lastOf(pages).response?.status === 200 && json.isObject(body) && Object.keys(body).length === 0
  );
}

/** One listing as shown to the owner and to the restricted key. */
interface TwoListings {
  readonly owner: readonly Exchange[];
  readonly pages: readonly Exchange[];
}

/**
 * Judges that the restricted key sees none of its forbidden models, given that the owner sees them.
 *
 * @param listed the models that belong in the listing
 */
function expectPermittedOnly({ owner, pages }: TwoListings, listed: readonly Model[]): void {
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

const furtherKeys = {
  'same-user': 'sameUser',
  'other-user': 'otherUser',
  restricted: 'restricted',
} as const;

type FurtherKey = keyof typeof furtherKeys;

/** Listings for each further key, with those of the owner. */
const listingsByKey = each(listings, (listing: Listing) =>
  each(Object.keys(furtherKeys) as FurtherKey[], (name: FurtherKey) => {
    const key = furtherKeys[name];
    return scenario(
      `models/${name}/${listing}`,
      {
        needs: { keys: [key] },
        after: { owner: ownersListing[listing] },
        cost: { requests: mostPages, spare: mostPages - 1, generations: 0 },
      },
      async (io, { owner }) => {
        const first = await io.ask(listingEndpoint[listing], {}, { key });
        return { owner: owner.pages, pages: await further(io, first, { key }) };
      },
    );
  }),
);

/** Native queries for a part of a listing, some of which begins behind or before a model. */
const queries = {
  list: (id: string) => [{ limit: '1000' }, { after: id }, { after_id: id }, { before_id: id }],
  catalog: () => [{ pageSize: '1' }, { pageSize: '1000' }],
};

/** The listings of the restricted key again, in parts. */
const restrictedParts = each(listings, (listing: Listing) =>
  scenario(
    `models/restricted-parts/${listing}`,
    {
      after: { whole: listingsByKey[listing].restricted },
      cost: { requests: queries[listing]('').length, generations: 0, chain: 1 },
    },
    async (io, { whole }) => {
      const known = io.target.models.find((model) => isPermitted(model, 'restricted'))?.id ?? '1';
      const parts = queries[listing](known).map((query, n) => {
        const change = (call: Call) => ({ ...call, query });
        return io
          .lane(`part-${n}`)
          .ask(listingEndpoint[listing], { change }, { key: 'restricted' });
      });
      return { ...whole, parts: await Promise.all(parts) };
    },
  ),
);

for (const listing of listings) {
  check(
    `models/${listing}.served`,
    baseline[listingEndpoint[listing]],
    ({ baseline }, { region }) => {
      if (listing === 'list') assumeHeaderAccepted(baseline);
      else if (region !== null && isMissing(baseline)) {
        throw new NothingToJudge('no source says that every region has generative-content');
      }
      expect(baseline).toBeServed();
    },
  );

  check(`models/${listing}.has-usable-models`, ownersListing[listing], ({ pages }, { target }) => {
    const usable = listedBy(target, listing).filter((model) => isPermitted(model, 'owner'));
    expectListed(pages, usable);
  });

  check.each(`models/${listing}.has-usable-models-by-key`, (name: FurtherKey) => ({
    on: listingsByKey[listing][name],
    judge: ({ owner, pages }, { target }) => {
      assumeServed(owner);
      // Without a `permitted` list in the target file, a further key may use the model or not.
      const said = listedBy(target, listing).filter(({ permitted }) => permitted !== null);
      const usable = said.filter((model) => isPermitted(model, furtherKeys[name]));
      if (usable.length === 0) {
        throw new NothingToJudge('the target file names no model that this key may use');
      }
      expectListed(pages, usable);
    },
  }));

  check(`models/${listing}.permitted-only`, restrictedParts[listing], (captured, { target }) => {
    const listed = listedBy(target, listing);
    expectPermittedOnly(captured, listed);
    for (const part of captured.parts) {
      if (isServed(part)) expectNoneBarred(part, listed, 'models of the restricted key, in a part');
    }
  });
}

function expectListed(pages: readonly Exchange[], usable: readonly Model[]): void {
  const shown = whole(pages);
  for (const model of usable) {
    expectValue(shown, { as: 'models', of: lastOf(pages) }).toBe(
      `with ${model.id}, which the target file gives this key`,
      () => includesModel(shown, model),
    );
  }
}

function isMissing({ response }: Exchange): boolean {
  return [404, 405, 410].includes(response?.status ?? 0);
}

/**
 * Leaves a check undecided if the listing is refused: the specification shows no credential header for `GET
 * /v1/models`.
 */
function assumeHeaderAccepted(listing: Exchange): void {
  const status = listing.response?.status ?? 0;
  if (status !== 401 && status !== 403) return;
  const reason = `${requestInWords(listing)} is refused with ${status}: where it takes the key in another header, name it under credentials.models`;
  throw new Inconclusive(reason, listing);
}

everywhere('models/list.shape', { least: baseline.models, ...bodyDueAt('models') }, (exchange) =>
  expect(exchange).toMatchSchema('models/list'),
);

everywhere(
  'models/catalog.shape',
  { least: baseline.catalog, ...bodyDueAt('catalog') },
  (exchange) => expect(exchange).toMatchSchema('generative/catalog'),
);

check('models/list.has-generative-models', ownersListing.list, ({ pages }, { target, note }) => {
  const shown = whole(pages);
  const alone = target.models.filter(
    (model) => isGenerativeAlone(model.protocols) && isPermitted(model, 'owner'),
  );
  if (alone.length === 0) throw new NothingToJudge('no model declares generative-content alone');
  const missing = alone.filter((model) => !includesModel(shown, model)).map(({ id }) => id);
  const seen = missing.length === 0 ? 'the list has them all' : `it lacks ${missing.join(', ')}`;
  note(`models that declare generative-content alone: ${seen}`, lastOf(pages));
});

check('models/list.entry-fields', baseline.models, ({ baseline }) => {
  whole([baseline]);
  const data = entriesOf([baseline]);
  const [problem] = violations('models/list-full', { object: 'list', data });
  if (problem === undefined) return;
  const actual = `${problem.path}: ${problem.problem}`;
  throw new ExpectationFailed(
    'entries with object, created and owned_by',
    actual,
    baseline,
    'part',
    { places: [problem.place] },
  );
});

check('models/list.ids-unique', baseline.models, ({ baseline }) => {
  eachOnce(whole([baseline]), baseline);
});

function eachOnce(ids: readonly string[], of: Exchange): void {
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  expectValue(twice, { as: 'ids that stand there twice', of }).toEqual([]);
}

/** The catalog again in pages of one model; a long catalog in about twenty pages. */
const catalogInPages = scenario(
  'models/catalog-in-pages',
  {
    after: { whole: ownersListing.catalog },
    cost: { requests: mostPages, spare: mostPages - 1, generations: 0 },
  },
  async (io, { whole }) => {
    const pageSize = Math.max(1, Math.ceil(entriesOf(whole.pages).length / 20));
    const first = await io.lists.catalog({ pageSize });
    return { whole: whole.pages, pageSize, pages: await further(io, first, {}, { pageSize }) };
  },
);

check('models/catalog.pages', catalogInPages, ({ whole: once, pages, pageSize }) => {
  assumeServed(once);
  // Repeating pages never end, but an endless catalog may also be just vast.
  if (nextPage(lastOf(once)) !== null) eachOnce(idsOf(once), lastOf(once));
  const wanted = whole(once);
  for (const page of pages) {
    expect(page).toBeServed();
    const as = `models of a page with pageSize=${pageSize}`;
    expectValue(entriesOf([page]).length, { as, of: page }).toBeAtMost(pageSize);
  }
  const last = lastOf(pages);
  expectValue(nextPage(last), { as: `nextPageToken of page ${pages.length}`, of: last }).toBe(
    'absent, because all models were shown',
    (token) => token === null,
  );
  const shown = whole(pages);
  eachOnce(shown, last);
  expectValue([...shown].sort(), { as: 'models of all pages', of: last }).toEqual(
    [...new Set(wanted)].sort(),
  );
});

/** The restricted key uses a page token of an owner's page that it must not see unfiltered. */
const tokenOfAnotherKey = scenario(
  'models/token-of-another-key',
  {
    needs: { keys: ['restricted'] },
    after: { paged: catalogInPages, restricted: listingsByKey.catalog.restricted },
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

check('models/catalog.page-token-bound-to-key', tokenOfAnotherKey, ({ control, barred, page }) => {
  if (page === null) {
    throw new NothingToJudge('there is no page token to try');
  }
  if (!isBlank(control)) assumeServed(control);
  if (isRefused(page) || isBlank([page])) return;
  assumeServed(page);
  const as = "models that the owner's page token shows the restricted key against its permissions";
  expectNoneBarred(page, barred, as);
});

function expectNoneBarred(page: Exchange, models: readonly Model[], as: string): void {
  const shown = idsIn(page);
  const barred = models.filter((model) => !isPermitted(model, 'restricted'));
  const seen = barred.filter((model) => includesModel(shown, model)).map(({ id }) => id);
  expectValue(seen, { as, of: page }).toEqual([]);
}

function idsIn(page: Exchange): string[] {
  return entriesOf([page]).flatMap((entry) => idOfEntry(entry) ?? []);
}
