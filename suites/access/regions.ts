import {
  type Exchange,
  idOf,
  present,
  type Scenario,
  scenario,
  storedOperations,
} from '../../harness/index.ts';
import { ownInput, readable } from '../scenarios/baselines.ts';
import { throughIndirectAccess } from '../scenarios/indirect-access.ts';
import { whileRunning } from '../scenarios/running-responses.ts';
import { continued, readableFor, served } from '../scenarios/served-operations.ts';
import { attempts } from '../scenarios/stored-operations.ts';
import { type Subject, storedFor } from '../scenarios/stored-responses.ts';
import { creationModesElsewhere } from './creation-modes.ts';
import { laterTurns } from './later-turns.ts';

/** What one region created, and what it then made of it; nothing of the latter is stored. */
export interface Home {
  readonly created: Exchange;
  readonly lookup: Exchange;
  readonly continued: Exchange;
}

interface FurtherHome extends Home {
  /** A word of the input that stands nowhere else. */
  readonly secret: string;
}

/** A stored response in every region but the first, looked up and continued where it was made. */
export const furtherRegions = scenario(
  'access/regions/at-home',
  {
    needs: { model: { speaks: 'responses' }, regions: 2 },
    cost: ({ regions: { length } }) => ({
      requests: 3 * (length - 1),
      generations: 2 * (length - 1),
      chain: 2,
    }),
  },
  ({ target, lane }): Promise<readonly FurtherHome[]> =>
    Promise.all(
      target.regions.slice(1).map(async ({ name: region }) => {
        const io = lane(region);
        const { responses } = io;
        const { secret, input } = ownInput(io);
        const created = await responses.create({ input, store: true }, { region });
        const previous_response_id = idOf(created);
        const [lookup, continued] = await Promise.all([
          responses.lookup(previous_response_id, { region }),
          responses.create({ previous_response_id }, { region }),
        ]);
        return { created, lookup, continued, secret };
      }),
    ),
);

/** The same for every region; in the first one it has been done for other checks. */
export const everyRegion = scenario(
  'access/regions/every-region',
  {
    after: { lookup: served.lookup, continued, further: furtherRegions },
    cost: { requests: 0, generations: 0 },
  },
  async (_, { lookup, continued: { first, second }, further }): Promise<readonly Home[]> => [
    { created: first.created, lookup: lookup.served, continued: second },
    ...further,
  ],
);

/** The stored response of the second region. */
export interface SecondHome extends FurtherHome, Subject {
  /** That the region serves what is its own. */
  readonly works: readonly Exchange[];
}

export const secondHome: Scenario<SecondHome> = scenario(
  'access/regions/second-home',
  { after: { further: furtherRegions }, cost: { requests: 0, generations: 0 } },
  async (_, { further }) => {
    const home = present(further[0], 'second region');
    return { ...home, id: idOf(home.created), works: [home.created, home.lookup] };
  },
);

export const otherRegionWorks = scenario(
  'access/regions/other-works',
  { after: { home: secondHome }, cost: { requests: 0, generations: 0 } },
  async (_, { home }): Promise<readonly Exchange[]> => home.works,
);

/** Each operation on a response of the first region, through the second. */
export const throughOtherRegion = attempts({
  name: 'access/regions/through-other',
  subject: (operation) =>
    operation.changes
      ? storedFor(operation, `access/regions/stored/${operation.name}`)
      : readableFor(operation),
  as: ({ otherRegion: region }) => ({ region }),
  needs: { regions: 2 },
  ownerFindsIt: true,
  maySendHome: true,
  controls: otherRegionWorks,
});

/** What else is tried through the second while a response of the first runs. */
export const throughOtherRegionWhileRunning = whileRunning(throughOtherRegion.cancel);

/** A response of the first region as the one before a call in the second that generates nothing. */
export const throughOtherRegionIndirectly = throughIndirectAccess({
  name: 'access/regions/side-door',
  subject: readable,
  as: ({ otherRegion: region }) => ({ region }),
  needs: { regions: 2 },
});

/** A response of the first region, continued on a connection to the second that had a turn before. */
export const otherRegionInLaterTurn = laterTurns({
  name: 'access/regions/later-turn',
  subject: readableFor(storedOperations['continue-websocket']),
  as: ({ otherRegion: region }) => ({ region }),
  needs: { model: { speaks: 'responses', supports: ['websocket'] }, regions: 2 },
});

/** Responses of the first region that no plain request has made, looked up and continued through the second. */
export const creationModesThroughOtherRegion = creationModesElsewhere({
  name: 'access/regions/otherwise-made',
  as: ({ otherRegion: region }) => ({ region }),
  needs: { model: { speaks: 'responses' }, regions: 2 },
  maySendHome: true,
  controls: otherRegionWorks,
});
