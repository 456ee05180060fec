import {
  check,
  checkEach,
  expect,
  present,
  type StoredOperationName,
} from '../../harness/index.ts';
import { expectNotServed } from '../accepted-first.ts';
import { type Door, expectClosed } from '../side-doors.ts';
import { expectDenied } from '../stored-operations.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../while-running.ts';
import { expectLaterDenied } from './later-turns.ts';
import {
  restrictedInLaterTurn,
  underAnotherModel,
  underAnotherModelThroughSideDoors,
  underForbiddenModel,
  unpermitted,
  withoutItsModel,
  withoutItsModelWhileRunning,
} from './permissions.ts';

checkEach('rules/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expectNotServed(attempt, controls);
  },
}));

check(
  'rules/permissions.continue-under-another-model',
  underAnotherModel,
  ({ attempt, controls, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control: controls });
  },
);

check(
  'rules/permissions.later-turn-refused:continue',
  underForbiddenModel,
  ({ attempt, control }) => {
    expect(attempt).toBeRefused({ control });
  },
);

check(
  'rules/permissions.later-turn-refused:continue-websocket',
  restrictedInLaterTurn,
  expectLaterDenied,
);

checkEach('rules/permissions.no-side-door', (door: Door) => ({
  on: underAnotherModelThroughSideDoors[door],
  judge: expectClosed,
}));

checkEach('rules/permissions.lookup-needs-model', (operation: StoredOperationName) => ({
  on: withoutItsModel[operation],
  judge: expectDenied,
}));

checkEach('rules/permissions.running-needs-model', (operation: OnRunning) => ({
  on: withoutItsModelWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));
