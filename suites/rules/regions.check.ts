import {
  check,
  checkEach,
  expect,
  mustBeServed,
  type StoredOperationName,
} from '../../harness/index.ts';
import { type Door, expectClosed } from '../side-doors.ts';
import { expectDenied } from '../stored-operations.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../while-running.ts';
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
