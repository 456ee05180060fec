import {
  check,
  checkEach,
  expect,
  isRefused,
  mustBeServed,
  NothingToJudge,
  type Protocol,
  type StoredOperationName,
} from '../../harness/index.ts';
import { furtherListing, includesModel, type Listing, listedBy } from '../models/listings.ts';
import { mustShowPermittedOnly } from '../models/permitted-only.ts';
import { lastOf, whole } from '../models/shown.ts';
import { type Door, expectClosed } from '../side-doors.ts';
import { expectDenied } from '../stored-operations.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../while-running.ts';
import {
  byOtherUserThere,
  type Guarded,
  throughFirstRegion,
  unpermittedThere,
  unstoredThere,
  wrongKeysThere,
} from './further-regions.ts';
import { expectLaterDenied } from './later-turns.ts';
import { expectNotFound, type OtherwiseMade } from './otherwise-made.ts';
import {
  everyRegion,
  otherRegionInLaterTurn,
  otherwiseMadeThroughOtherRegion,
  throughOtherRegion,
  throughOtherRegionsSideDoors,
  throughOtherRegionWhileRunning,
} from './regions.ts';

checkEach('rules/regions.other-region-denied', (operation: StoredOperationName) => ({
  on: throughOtherRegion[operation],
  judge: expectDenied,
}));

checkEach('rules/regions.running-denied', (operation: OnRunning) => ({
  on: throughOtherRegionWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));

checkEach('rules/regions.otherwise-made-denied', (made: OtherwiseMade) => ({
  on: otherwiseMadeThroughOtherRegion[made],
  judge: expectNotFound,
}));

check('rules/regions.later-turn-denied', otherRegionInLaterTurn, expectLaterDenied);

checkEach('rules/regions.no-side-door', (door: Door) => ({
  on: throughOtherRegionsSideDoors[door],
  judge: expectClosed,
}));

check('rules/regions.original-region-served', everyRegion, (regions) => {
  const created = regions.map((region) => region.created);
  mustBeServed(created);
  for (const { lookup, continued } of regions) {
    expect(lookup).toBeServed();
    expect(continued).toBeServed();
  }
  mustBeToldApart(
    regions.map(({ continued }) => continued),
    created,
  );
});

checkEach('rules/regions.first-region-denied', (operation: StoredOperationName) => ({
  on: throughFirstRegion[operation],
  judge: expectDenied,
}));

checkEach('rules/regions.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUserThere[operation],
  judge: expectDenied,
}));

checkEach('rules/regions.unstored-denied', (operation: 'lookup' | 'continue') => ({
  on: unstoredThere,
  judge: ({ attempts, secret, controls }) =>
    expect(attempts[operation]).toBeDenied({ secret: [secret], control: controls }),
}));

checkEach('rules/regions.key-required', (endpoint: Guarded) => ({
  on: wrongKeysThere[endpoint],
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expect(attempt).toBeRefused({ control: controls });
  },
}));

checkEach('rules/regions.unpermitted-model-refused', (protocol: Protocol) => ({
  on: unpermittedThere[protocol],
  judge: ({ attempt, controls }) => expect(attempt).toBeRefused({ control: controls }),
}));

checkEach('rules/regions.lists-permitted-only', (listing: Listing) => ({
  on: furtherListing[listing],
  judge: (captured, { target }) => {
    const { owner } = captured;
    if (isRefused(lastOf(owner))) throw new NothingToJudge('there is no such list in that region');
    const shown = whole(owner);
    // No source says that every region has every model.
    const there = listedBy(target, listing).filter((model) => includesModel(shown, model));
    mustShowPermittedOnly(captured, there);
  },
}));
