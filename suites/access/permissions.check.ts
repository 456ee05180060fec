import {
  check,
  checkEach,
  expect,
  idOf,
  present,
  type StoredOperationName,
  scenario,
  storedOperations,
} from '../../harness/index.ts';
import { expectNotServed } from '../scenarios/requests/accepted-requests.ts';
import { expectDenied, firstRegion } from '../scenarios/stored/attempts.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/stored/indirect-access.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import {
  attemptsAlsoWhileRunning,
  expectDeniedWhileRunning,
  type RunningOperation,
} from './attempts-while-running.ts';
import { restrictedListed } from './key-controls.ts';
import { expectLaterDenied, laterTurns } from './later-turns.ts';
import { subjectsOn } from './stored-subjects.ts';
import { unpermitted } from './unpermitted-models.ts';

checkEach('access/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expectNotServed(attempt, controls);
  },
}));

const storedWithoutItsModel = subjectsOn('access/permissions/stored', {
  notPermittedFor: 'restricted',
});

const restricted = { key: 'restricted' } as const;

/** A continuation with the restricted key, under a model that it may use. */
const underAnotherModel = scenario(
  'access/permissions/under-another-model',
  {
    needs: {
      model: { speaks: 'responses', permittedFor: 'restricted' },
      keys: ['restricted'],
    },
    after: { subject: storedWithoutItsModel(storedOperations.continue) },
    cost: { requests: 3, generations: 2, refused: 1, chain: 1 },
  },
  async ({ responses, lane }, { subject: { id, secret } }) => {
    const [attempt, continued, alone] = await Promise.all([
      responses.create({ previous_response_id: id }, restricted),
      lane('owner').responses.create({ previous_response_id: id }),
      lane('alone').responses.create({ store: true }, restricted),
    ]);
    return { attempt, controls: [continued, alone], alone, secret };
  },
);

check(
  'access/permissions.continue-under-another-model',
  underAnotherModel,
  ({ attempt, controls, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control: controls });
  },
);

const forbidden = { speaks: 'responses', notPermittedFor: 'restricted' } as const;

/** A response that the restricted key has made itself, continued under a model that it may not use. */
const underForbiddenModel = scenario(
  'access/permissions/under-forbidden-model',
  {
    needs: { models: { forbidden } },
    after: { made: underAnotherModel },
    cost: { requests: 1, generations: 0, refused: 1 },
  },
  async ({ responses, role }, { made: { alone } }) => ({
    attempt: await responses.create(
      { model: role('forbidden').id, previous_response_id: idOf(alone) },
      restricted,
    ),
    control: alone,
  }),
);

check(
  'access/permissions.later-turn-refused:continue',
  underForbiddenModel,
  ({ attempt, control }) => {
    expect(attempt).toBeRefused({ control });
  },
);

/** Such a model, and then a response that it made, on a connection on which the key had a good turn. */
const restrictedInLaterTurn = laterTurns({
  name: 'access/permissions/later-turn',
  subject: storedWithoutItsModel(storedOperations['continue-websocket']),
  as: () => restricted,
  needs: {
    model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'restricted' },
    models: { forbidden: { ...forbidden, supports: ['websocket'] } },
    keys: ['restricted'],
  },
  first: ({ role }) => [{ model: role('forbidden').id }],
});

check(
  'access/permissions.later-turn-refused:continue-websocket',
  restrictedInLaterTurn,
  expectLaterDenied,
);

/** The same with a call that generates nothing. */
const underAnotherModelIndirectly = throughIndirectAccess({
  name: 'access/permissions/indirect',
  subject: storedWithoutItsModel(storedOperations.lookup),
  as: () => restricted,
  needs: { model: { permittedFor: 'restricted' }, keys: ['restricted'] },
});

checkEach('access/permissions.indirect-access-denied', (operation: IndirectOperation) => ({
  on: underAnotherModelIndirectly[operation],
  judge: expectNotReadable,
}));

/** Each operation on the owner's stored response, by a key of the same user without its model. */
const withoutItsModel = attemptsAlsoWhileRunning({
  name: 'access/permissions/lookup',
  subject: storedWithoutItsModel,
  as: () => restricted,
  looks: firstRegion,
  needs: { keys: ['restricted'] },
  owner: firstRegion,
  controls: restrictedListed,
});

checkEach('access/permissions.lookup-needs-model', (operation: StoredOperationName) => ({
  on: withoutItsModel[operation],
  judge: expectDenied,
}));

checkEach('access/permissions.running-needs-model', (operation: RunningOperation) => ({
  on: { run: withoutItsModel.cancel, control: served[operation] },
  judge: ({ run, control }) => expectDeniedWhileRunning(operation, run, control.served),
}));
