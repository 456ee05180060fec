import {
  assumeServed,
  check,
  checkEach,
  expect,
  isRefused,
  NothingToJudge,
  type Protocol,
  type StoredOperationName,
} from '../../harness/index.ts';
import { assumeDistinctIds } from '../scenarios/distinct-ids.ts';
import { expectNotReadable, type IndirectOperation } from '../scenarios/indirect-access.ts';
import { lastOf, whole } from '../scenarios/listed-models.ts';
import { furtherListing, includesModel, type Listing, listedBy } from '../scenarios/listings.ts';
import { expectPermittedOnly } from '../scenarios/permitted-only.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../scenarios/running-responses.ts';
import { expectDenied } from '../scenarios/stored-operations.ts';
import { expectNotFound, type OtherCreationMode } from './creation-modes.ts';
import {
  byOtherUserThere,
  type Guarded,
  throughFirstRegion,
  unpermittedThere,
  unstoredThere,
  wrongKeysThere,
} from './further-regions.ts';
import { expectLaterDenied } from './later-turns.ts';
import {
  creationModesThroughOtherRegion,
  everyRegion,
  otherRegionInLaterTurn,
  throughOtherRegion,
  throughOtherRegionIndirectly,
  throughOtherRegionWhileRunning,
} from './regions.ts';

checkEach('access/regions.other-region-denied', (operation: StoredOperationName) => ({
  on: throughOtherRegion[operation],
  judge: expectDenied,
}));

checkEach('access/regions.running-denied', (operation: OnRunning) => ({
  on: throughOtherRegionWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));

checkEach('access/regions.denied-by-creation-mode', (made: OtherCreationMode) => ({
  on: creationModesThroughOtherRegion[made],
  judge: expectNotFound,
}));

check('access/regions.later-turn-denied', otherRegionInLaterTurn, expectLaterDenied);

checkEach('access/regions.indirect-access-denied', (door: IndirectOperation) => ({
  on: throughOtherRegionIndirectly[door],
  judge: expectNotReadable,
}));

check('access/regions.original-region-served', everyRegion, (regions) => {
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
});

checkEach('access/regions.first-region-denied', (operation: StoredOperationName) => ({
  on: throughFirstRegion[operation],
  judge: expectDenied,
}));

checkEach('access/regions.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUserThere[operation],
  judge: expectDenied,
}));

checkEach('access/regions.unstored-denied', (operation: 'lookup' | 'continue') => ({
  on: unstoredThere,
  judge: ({ attempts, secret, controls }) =>
    expect(attempts[operation]).toBeDenied({ secret: [secret], control: controls }),
}));

checkEach('access/regions.key-required', (endpoint: Guarded) => ({
  on: wrongKeysThere[endpoint],
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expect(attempt).toBeRefused({ control: controls });
  },
}));

checkEach('access/regions.unpermitted-model-refused', (protocol: Protocol) => ({
  on: unpermittedThere[protocol],
  judge: ({ attempt, controls }) => expect(attempt).toBeRefused({ control: controls }),
}));

checkEach('access/regions.lists-permitted-only', (listing: Listing) => ({
  on: furtherListing[listing],
  judge: (captured, { target }) => {
    const { owner } = captured;
    if (isRefused(lastOf(owner))) throw new NothingToJudge('there is no such list in that region');
    const shown = whole(owner);
    // No source says that every region has every model.
    const there = listedBy(target, listing).filter((model) => includesModel(shown, model));
    expectPermittedOnly(captured, there);
  },
}));
