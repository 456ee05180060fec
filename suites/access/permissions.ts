import {
  type EndpointName,
  type Exchange,
  endpoints,
  idOf,
  type Scenario,
  scenario,
  storedOperations,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { throughIndirectAccess } from '../scenarios/indirect-access.ts';
import { namesModel } from '../scenarios/named-model.ts';
import { formsOf } from '../scenarios/request-modes.ts';
import { whileRunning } from '../scenarios/running-responses.ts';
import { attempts } from '../scenarios/stored-operations.ts';
import { inEachForm, modelEndpoints } from '../scenarios/wrong-models.ts';
import { restrictedListed } from './key-controls.ts';
import { laterTurns } from './later-turns.ts';
import { subjectsOn } from './stored-subjects.ts';

const restricted = { key: 'restricted' } as const;

/** Requests with the restricted key for a model that it may not use. */
export interface Unpermitted {
  /** The same request with the owner's key, and what the restricted key may do. */
  readonly controls: readonly Exchange[];
  /** In each form that the endpoint takes. */
  readonly attempts: readonly Exchange[];
}

export const unpermitted: Readonly<Record<string, Scenario<Unpermitted>>> = Object.fromEntries(
  modelEndpoints.map(({ name }) => [name, unpermittedAt(name)]),
);

function unpermittedAt(name: EndpointName): Scenario<Unpermitted> {
  const { model: role, generates } = endpoints[name];
  return scenario(
    `access/permissions/unpermitted/${name}`,
    {
      needs: { model: { ...role, notPermittedFor: 'restricted' }, keys: ['restricted'] },
      after: { baseline: baseline[name], listed: restrictedListed },
      cost: { requests: formsOf(name).length + 1, generations: generates ? 1 : 0, chain: 1 },
    },
    async (io, { baseline: { baseline: first, input }, listed }) => {
      // The baseline request may have gone to a model that the restricted key may use.
      const sameModel = namesModel(first, io.model.id);
      const [control, attempts] = await Promise.all([
        sameModel ? first : io.lane('owner').ask(name, { input }),
        inEachForm(io, name, { input }, restricted),
      ]);
      return { controls: [control, ...listed], attempts };
    },
  );
}

const storedWithoutItsModel = subjectsOn('access/permissions/stored', {
  notPermittedFor: 'restricted',
});

/** A continuation with the restricted key, under a model that it may use. */
export const underAnotherModel = scenario(
  'access/permissions/under-another-model',
  {
    needs: {
      model: { speaks: 'responses', permittedFor: 'restricted' },
      keys: ['restricted'],
    },
    after: { subject: storedWithoutItsModel(storedOperations.continue) },
    cost: { requests: 3, generations: 3, chain: 1 },
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

const forbidden = { speaks: 'responses', notPermittedFor: 'restricted' } as const;

/** A response that the restricted key has made itself, continued under a model that it may not use. */
export const underForbiddenModel = scenario(
  'access/permissions/under-forbidden-model',
  {
    needs: { models: { forbidden } },
    after: { made: underAnotherModel },
    cost: { requests: 1, generations: 0 },
  },
  async ({ responses, role }, { made: { alone } }) => ({
    attempt: await responses.create(
      { model: role('forbidden').id, previous_response_id: idOf(alone) },
      restricted,
    ),
    control: alone,
  }),
);

/** Such a model, and then a response that it made, on a connection on which the key had a good turn. */
export const restrictedInLaterTurn = laterTurns({
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

/** The same with a call that generates nothing. */
export const underAnotherModelIndirectly = throughIndirectAccess({
  name: 'access/permissions/side-door',
  subject: storedWithoutItsModel(storedOperations.lookup),
  as: () => restricted,
  needs: { model: { permittedFor: 'restricted' }, keys: ['restricted'] },
});

/** Each operation on the owner's stored response, by a key of the same user without its model. */
export const withoutItsModel = attempts({
  name: 'access/permissions/lookup',
  subject: storedWithoutItsModel,
  as: () => restricted,
  looks: () => ({}),
  needs: { keys: ['restricted'] },
  ownerFindsIt: true,
  controls: restrictedListed,
});

/** What else such a key tries while the response runs. */
export const withoutItsModelWhileRunning = whileRunning(withoutItsModel.cancel);
