import {
  type CallOptions,
  type Exchange,
  each,
  type Io,
  idOf,
  present,
  protocols,
  type Scenario,
  type StoredOperation,
  scenario,
} from '../../harness/index.ts';
import { baseline, ownInput } from '../scenarios/baselines.ts';
import { furtherListing } from '../scenarios/listings.ts';
import { idOfLongRun, longRun, longRunLimit } from '../scenarios/long-runs.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { attempts } from '../scenarios/stored-operations.ts';
import type { Stored } from '../scenarios/stored-responses.ts';
import { otherUserAtHome } from './key-controls.ts';
import { unpermitted } from './permissions.ts';
import { otherRegionWorks, secondHome } from './regions.ts';

// What a key may do in the second region: what is forgotten there, the first does not show.

/** Where a key is asked for in the second region. */
export const guarded = [
  'responses',
  'chat-completions',
  'messages',
  'generate-content',
  'systemone',
  'models',
  'catalog',
  'lookup',
] as const;

export type Guarded = (typeof guarded)[number];

/** Requests to the second region, without a key and with one that does not exist. */
export const wrongKeysThere = each(guarded, (name: Guarded) =>
  scenario(
    `access/regions/keys/${name}`,
    {
      needs: { regions: 2 },
      after: { baseline: baseline[name], home: secondHome },
      cost: { requests: 2, generations: 0, chain: 1 },
    },
    async (io, { baseline: { baseline: control, input }, home }) => {
      const request = name === 'lookup' ? { id: home.id } : { input };
      const attempts = await Promise.all(
        (['none', 'unknown'] as const).map((key) => io.ask(name, request, { key, ...there(io) })),
      );
      return { attempts, controls: [control, ...home.works] };
    },
  ),
);

/** The restricted key asks the second region for a model that it may not use. */
export const unpermittedThere = each(protocols, (protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `access/regions/unpermitted/${protocol}`,
    {
      needs: { regions: 2 },
      after: {
        here: present(unpermitted[name], name),
        listed: furtherListing.list,
        home: secondHome,
      },
      cost: { requests: 1, generations: 0 },
    },
    async (io, { here, listed, home }) => ({
      attempt: await io.ask(name, {}, { key: 'restricted', ...there(io) }),
      controls: [...here.controls, ...home.works, ...listed.pages],
    }),
  );
});

/** Each operation on a response of the second region, through the first. */
export const throughFirstRegion = attempts({
  name: 'access/regions/through-first',
  subject: (operation) => (operation.changes ? madeThere(operation) : secondHome),
  needs: { regions: 2 },
  home: there,
  ownerFindsIt: true,
  maySendHome: true,
  controls: otherRegionWorks,
});

/** Each operation on a response of the second region, there, by another user. */
export const byOtherUserThere = attempts({
  name: 'access/regions/other-user',
  subject: () => secondHome,
  as: (io) => ({ key: 'otherUser', ...there(io) }),
  needs: { regions: 2, keys: ['otherUser'] },
  home: there,
  ownerFindsIt: true,
  controls: scenario(
    'access/regions/other-user-works',
    { after: { other: otherUserAtHome, home: secondHome }, cost: { requests: 0, generations: 0 } },
    async (_, { other, home }): Promise<readonly Exchange[]> => [...other, ...home.works],
  ),
});

/** A response of the second region that was not stored, looked for there. */
export const unstoredThere = scenario(
  'access/regions/unstored',
  {
    needs: { regions: 2 },
    after: { home: secondHome },
    cost: { requests: 2, generations: 1, chain: 1 },
  },
  async (io, { home }) => {
    const id = idOf(home.continued);
    const [lookup, continued] = await Promise.all([
      io.responses.lookup(id, there(io)),
      io.lane('continue').responses.create({ previous_response_id: id }, there(io)),
    ]);
    return { attempts: { lookup, continue: continued }, secret: home.secret, controls: home.works };
  },
);

function there({ otherRegion: region }: Io): CallOptions {
  return { region };
}

/** A response of the second region that an operation may change; to be cancelled, it has to run. */
function madeThere({ name, needs, background }: StoredOperation): Scenario<Stored> {
  return scenario(
    `access/regions/made-there/${name}`,
    {
      needs: { model: { speaks: 'responses', supports: needs }, regions: 2 },
      perishable: background,
      cost: (target) => ({
        requests: 1,
        generations: 1,
        ...(background ? { outputTokens: longRunLimit(target) } : {}),
      }),
    },
    async (io) => {
      const { secret, input } = ownInput(io);
      const body = background ? { ...longRun(secret, io.target), background } : { input };
      const created = await io.responses.create({ ...body, store: true }, there(io));
      const id = background ? idOfLongRun(created) : idOf(created);
      return { created, id, input: body.input, secret };
    },
  );
}
