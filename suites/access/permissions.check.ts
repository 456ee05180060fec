import {
  check,
  checkEach,
  expect,
  Inconclusive,
  idOf,
  type StoredOperationName,
  scenario,
  turnsOf,
} from '../../harness/index.ts';
import { present } from '../scenarios/assumptions.ts';
import { denied, type IndirectOperation, notRead } from '../scenarios/points/judged.ts';
import { expectNotServed } from '../scenarios/requests/accepted-requests.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { restrictedWorks } from './key-controls.ts';
import { unpermitted } from './unpermitted-models.ts';

checkEach('access/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expectNotServed(attempt, controls);
  },
}));

checkEach('access/permissions.lookup-needs-model', (operation: StoredOperationName) =>
  denied(operation, {
    id: `access/permissions.lookup-needs-model:${operation}`,
    reasons: ['restricted'],
    able: restrictedWorks,
  }),
);

checkEach('access/permissions.running-needs-model', (operation: StoredOperationName) =>
  denied(operation, {
    id: `access/permissions.running-needs-model:${operation}`,
    reasons: ['restricted'],
    able: restrictedWorks,
  }),
);

checkEach('access/permissions.indirect-access-denied', (operation: IndirectOperation) =>
  notRead(operation, {
    id: `access/permissions.indirect-access-denied:${operation}`,
    reasons: ['restricted'],
    able: restrictedWorks,
  }),
);

const underAnotherModel = denied('continue', {
  id: 'access/permissions.continue-under-another-model',
  reasons: ['under-another-model'],
  able: restrictedWorks,
});

check(
  'access/permissions.continue-under-another-model',
  underAnotherModel.on,
  underAnotherModel.judge,
);

const restricted = { key: 'restricted' } as const;
const forbidden = { speaks: 'responses', notPermittedFor: 'restricted' } as const;

/** Continues a response that the restricted key created, with a model that this key may not use. */
const underForbiddenModel = scenario(
  'access/permissions/under-forbidden-model',
  {
    needs: {
      model: { speaks: 'responses', permittedFor: 'restricted' },
      models: { forbidden },
      keys: ['restricted'],
    },
    cost: { requests: 2, generations: 1, refused: 1 },
  },
  async ({ responses, role }) => {
    const made = await responses.create({ store: true }, restricted);
    const body = { model: role('forbidden').id, previous_response_id: idOf(made) };
    return { attempt: await responses.create(body, restricted), control: made };
  },
);

/** Requests a forbidden model in a later turn of a connection on which the key had a valid turn. */
const inLaterTurn = scenario(
  'access/permissions/later-turn',
  {
    needs: {
      model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'restricted' },
      models: { forbidden: { ...forbidden, supports: ['websocket'] } },
      keys: ['restricted'],
    },
    after: { control: served['continue-websocket'] },
    cost: { requests: 1, generations: 1, refused: 1, chain: 3 },
  },
  async ({ responses, role }, { control }) => {
    const session = await responses.connect(restricted);
    const { ended } = await responses.turn(session);
    if (ended !== null) await responses.turn(session, { model: role('forbidden').id });
    const talk = await session.exchange();
    const [good = talk, attempt] = turnsOf(talk);
    if (attempt === undefined) throw new Inconclusive('the connection had no second turn', talk);
    return { attempt, control: [good, control.served] };
  },
);

checkEach('access/permissions.later-turn-refused', (way: 'continue' | 'continue-websocket') => ({
  on: way === 'continue' ? underForbiddenModel : inLaterTurn,
  judge: ({ attempt, control }) => expect(attempt).toBeRefused({ control }),
}));
