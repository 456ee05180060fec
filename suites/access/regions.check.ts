import {
  assumeServed,
  type CallOptions,
  check,
  checkEach,
  type Exchange,
  expect,
  type Io,
  idOf,
  present,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
  type View,
  view,
} from '../../harness/index.ts';
import { assumeDistinctIds } from '../scenarios/assumptions.ts';
import { ownInput, readable } from '../scenarios/baselines.ts';
import { idOfLongRun, longRun, longRunLimit } from '../scenarios/running/long-runs.ts';
import { attempts, expectDenied, firstRegion } from '../scenarios/stored/attempts.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/stored/indirect-access.ts';
import { continued, readableFor, served } from '../scenarios/stored/served-operations.ts';
import { type Stored, type Subject, storedFor } from '../scenarios/stored/stored-responses.ts';
import {
  attemptsAlsoWhileRunning,
  expectDeniedWhileRunning,
  type RunningOperation,
} from './attempts-while-running.ts';
import {
  creationModesElsewhere,
  expectNotFound,
  type OtherCreationMode,
} from './creation-modes.ts';
import { otherUserAtHome } from './key-controls.ts';
import { expectLaterDenied, laterTurns } from './later-turns.ts';

/** What one region created, and what it then made of it; nothing of the latter is stored. */
interface Home {
  readonly created: Exchange;
  readonly lookup: Exchange;
  readonly continued: Exchange;
  /** A word of the input that stands nowhere else. */
  readonly secret: string;
}

/** The stored response of the second region. */
interface SecondHome extends Home, Subject {
  /** That the region serves what is its own. */
  readonly works: readonly Exchange[];
}

/** A stored response in every region but the first, looked up and continued where it was made. */
const furtherRegions = scenario(
  'access/regions/at-home',
  {
    needs: { model: { speaks: 'responses' }, regions: 2 },
    cost: ({ regions: { length } }) => ({
      requests: 3 * (length - 1),
      generations: 2 * (length - 1),
      chain: 2,
    }),
  },
  ({ target, lane }): Promise<readonly Home[]> =>
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

const secondHome: View<SecondHome> = view({ furtherRegions }, ({ furtherRegions: [first] }) => {
  const home = present(first, 'second region');
  return { ...home, id: idOf(home.created), works: [home.created, home.lookup] };
});

const otherRegionWorks = view({ secondHome }, ({ secondHome: { works } }) => works);

/** Each operation on a response of the first region, through the second. */
const throughOtherRegion = attemptsAlsoWhileRunning({
  name: 'access/regions/through-other',
  subject: (operation) =>
    operation.changes
      ? storedFor(operation, `access/regions/stored/${operation.name}`)
      : readableFor(operation),
  as: there,
  needs: { regions: 2 },
  owner: firstRegion,
  maySendHome: true,
  controls: otherRegionWorks,
});

checkEach('access/regions.other-region-denied', (operation: StoredOperationName) => ({
  on: throughOtherRegion[operation],
  judge: expectDenied,
}));

checkEach('access/regions.running-denied', (operation: RunningOperation) => ({
  on: { run: throughOtherRegion.cancel, control: served[operation] },
  judge: ({ run, control }) => expectDeniedWhileRunning(operation, run, control.served),
}));

/** Responses of the first region that no plain request has made, looked up and continued through the second. */
const creationModesThroughOtherRegion = creationModesElsewhere({
  name: 'access/regions/by-creation-mode',
  as: there,
  needs: { model: { speaks: 'responses' }, regions: 2 },
  maySendHome: true,
  controls: otherRegionWorks,
});

checkEach('access/regions.denied-by-creation-mode', (made: OtherCreationMode) => ({
  on: creationModesThroughOtherRegion[made],
  judge: expectNotFound,
}));

/** A response of the first region, continued on a connection to the second that had a turn before. */
const otherRegionInLaterTurn = laterTurns({
  name: 'access/regions/later-turn',
  subject: readableFor(storedOperations['continue-websocket']),
  as: there,
  needs: { model: { speaks: 'responses', supports: ['websocket'] }, regions: 2 },
});

check('access/regions.later-turn-denied', otherRegionInLaterTurn, expectLaterDenied);

/** A response of the first region as the one before a call in the second that generates nothing. */
const throughOtherRegionIndirectly = throughIndirectAccess({
  name: 'access/regions/indirect',
  subject: readable,
  as: there,
  needs: { regions: 2 },
});

checkEach('access/regions.indirect-access-denied', (operation: IndirectOperation) => ({
  on: throughOtherRegionIndirectly[operation],
  judge: expectNotReadable,
}));

check(
  'access/regions.original-region-served',
  // In the first region it has been done for other checks.
  { lookup: served.lookup, continued, furtherRegions },
  ({ lookup, continued: { first, second }, furtherRegions }) => {
    const regions = [
      { created: first.created, lookup: lookup.served, continued: second },
      ...furtherRegions,
    ];
    const created = regions.map((region) => region.created);
    assumeServed(created);
    for (const { lookup, continued } of regions) {
      expect(lookup).toBeServed();
      expect(continued).toBeServed();
    }
    assumeDistinctIds(
      regions.map(({ continued }) => continued),
      created,
    );
  },
);

/** Each operation on a response of the second region, through the first. */
const throughFirstRegion = attempts({
  name: 'access/regions/through-first',
  subject: (operation) => (operation.changes ? madeThere(operation) : secondHome),
  needs: { regions: 2 },
  owner: there,
  maySendHome: true,
  controls: otherRegionWorks,
});

/** A response of the second region that an operation may change; to be cancelled, it has to run. */
function madeThere({ name, needs, background }: StoredOperation): Scenario<Stored> {
  return scenario(
    `access/regions/made-there/${name}`,
    {
      needs: { model: { speaks: 'responses', supports: needs }, regions: 2 },
      expires: background,
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

function there({ otherRegion: region }: Io): CallOptions {
  return { region };
}

checkEach('access/regions.first-region-denied', (operation: StoredOperationName) => ({
  on: throughFirstRegion[operation],
  judge: expectDenied,
}));

/** Each operation on a response of the second region, there, by another user. */
const byOtherUserThere = attempts({
  name: 'access/regions/other-user',
  subject: () => secondHome,
  as: (io) => ({ key: 'otherUser', ...there(io) }),
  needs: { regions: 2, keys: ['otherUser'] },
  owner: there,
  controls: view({ otherUserAtHome, secondHome }, ({ otherUserAtHome, secondHome: { works } }) => [
    ...otherUserAtHome,
    ...works,
  ]),
});

checkEach('access/regions.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUserThere[operation],
  judge: expectDenied,
}));

/** A response of the second region that was not stored, looked for there. */
const unstoredThere = scenario(
  'access/regions/unstored',
  {
    needs: { regions: 2 },
    after: { home: secondHome },
    cost: { requests: 2, generations: 0, refused: 1, chain: 1 },
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

checkEach('access/regions.unstored-denied', (operation: 'lookup' | 'continue') => ({
  on: unstoredThere,
  judge: ({ attempts, secret, controls }) =>
    expect(attempts[operation]).toBeDenied({ secret: [secret], control: controls }),
}));
