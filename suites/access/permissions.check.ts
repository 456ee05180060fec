import {
  check,
  checkEach,
  expect,
  present,
  type StoredOperationName,
} from '../../harness/index.ts';
import { expectNotServed } from '../scenarios/accepted-first.ts';
import { expectNotReadable, type IndirectOperation } from '../scenarios/indirect-access.ts';
import { expectDeniedWhileRunning, type OnRunning } from '../scenarios/running-responses.ts';
import { expectDenied } from '../scenarios/stored-operations.ts';
import { expectLaterDenied } from './later-turns.ts';
import {
  restrictedInLaterTurn,
  underAnotherModel,
  underAnotherModelIndirectly,
  underForbiddenModel,
  unpermitted,
  withoutItsModel,
  withoutItsModelWhileRunning,
} from './permissions.ts';

checkEach('access/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expectNotServed(attempt, controls);
  },
}));

check(
  'access/permissions.continue-under-another-model',
  underAnotherModel,
  ({ attempt, controls, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control: controls });
  },
);

check(
  'access/permissions.later-turn-refused:continue',
  underForbiddenModel,
  ({ attempt, control }) => {
    expect(attempt).toBeRefused({ control });
  },
);

check(
  'access/permissions.later-turn-refused:continue-websocket',
  restrictedInLaterTurn,
  expectLaterDenied,
);

checkEach('access/permissions.indirect-access-denied', (door: IndirectOperation) => ({
  on: underAnotherModelIndirectly[door],
  judge: expectNotReadable,
}));

checkEach('access/permissions.lookup-needs-model', (operation: StoredOperationName) => ({
  on: withoutItsModel[operation],
  judge: expectDenied,
}));

checkEach('access/permissions.running-needs-model', (operation: OnRunning) => ({
  on: withoutItsModelWhileRunning[operation],
  judge: expectDeniedWhileRunning,
}));
