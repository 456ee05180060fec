import {
  check,
  type EndpointName,
  type Exchange,
  endpoints,
  expect,
  Inconclusive,
  type Io,
  idOf,
  isServed,
  type Model,
  permittedKeys,
  type Scenario,
  scenario,
  type Target,
  turnsOf,
} from '../../harness/index.ts';
import { baseline, refusedCost } from '../scenarios/baselines.ts';
import { namesModel, present } from '../scenarios/exchanges.ts';
import { checkDenied, checkNotRead, denied } from '../scenarios/points/judged.ts';
import { modelEndpoints } from '../scenarios/requests/models.ts';
import { formsOf, inEachForm } from '../scenarios/requests/request-forms.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { expectNotServed } from '../scenarios/stored/stored-responses.ts';
import { restrictedWorks } from './key-controls.ts';

const restricted = { key: 'restricted' } as const;

/** Requests with the restricted key for a model that it may not use. */
interface Unpermitted {
  /** Controls: the same request with the owner's key, and a request that the restricted key may make. */
  readonly controls: readonly Exchange[];
  /** One request per form that the endpoint takes, and one for each further model. */
  readonly attempts: readonly Exchange[];
}

const unpermitted: Readonly<Record<string, Scenario<Unpermitted>>> = Object.fromEntries(
  modelEndpoints.map(({ name }) => [name, unpermittedAt(name)]),
);

function unpermittedAt(name: EndpointName): Scenario<Unpermitted> {
  const { model: role, generates } = endpoints[name];
  const further = ({ models }: Target, first: string): Model[] =>
    models.filter(
      (model) =>
        model.id !== first &&
        (role === null || model.protocols.includes(role.speaks)) &&
        !permittedKeys(model).includes('restricted'),
    );
  return scenario(
    `access/permissions/unpermitted/${name}`,
    {
      needs: { model: { ...role, notPermittedFor: 'restricted' }, keys: ['restricted'] },
      after: { baseline: baseline[name], works: restrictedWorks },
      cost: (target) => {
        const attempts = formsOf(name).length + Math.max(0, further(target, '').length - 1);
        return {
          ...refusedCost(name, attempts),
          ...{ requests: attempts + 1, fallback: generates ? 1 : 0, chain: 1 },
        };
      },
    },
    async (io, { baseline: { baseline: first, input }, works }) => {
      // The baseline request may have used a model that the restricted key may use.
      const sameModel = namesModel(first, io.model.id);
      const [control, attempts, others] = await Promise.all([
        sameModel ? first : io.lane('owner').ask(name, { input }),
        inEachForm(io, name, { input }, restricted),
        Promise.all(
          further(io.target, io.model.id).map(({ id }) =>
            io.lane(id).ask(name, { input, model: id }, restricted),
          ),
        ),
      ]);
      return { controls: [control, ...works], attempts: [...attempts, ...others] };
    },
  );
}

check.each('access/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expectNotServed(attempt, controls);
  },
}));

checkDenied('access/permissions.lookup-needs-model', ['restricted'], restrictedWorks);

checkDenied('access/permissions.running-needs-model', ['restricted'], restrictedWorks);

checkNotRead('access/permissions.indirect-access-denied', 'restricted', restrictedWorks);

const otherModel = 'access/permissions.continue-under-another-model';
const underAnotherModel = denied('continue', otherModel, ['under-another-model'], restrictedWorks);

check(otherModel, underAnotherModel.on, underAnotherModel.judge);

const forbidden = { speaks: 'responses', notPermittedFor: 'restricted' } as const;

/**
 * Continues a response that the restricted key created, with a model that this key may not use. Where both models have
 * it, a connection made the response, and then asked for that model in a further turn.
 */
const underForbiddenModel = scenario(
  'access/permissions/under-forbidden-model',
  {
    needs: {
      model: { speaks: 'responses', permittedFor: 'restricted' },
      models: { forbidden },
      keys: ['restricted'],
    },
    cost: { requests: 3, generations: 1, fallback: 1, refused: 2, continues: 1, chain: 4 },
  },
  async (io) => {
    const { responses, role, model } = io;
    const both = [model, role('forbidden')];
    const talk = both.every(({ supports }) => supports.includes('websocket'))
      ? await laterTurn(io)
      : null;
    const turn = talk === null ? undefined : turnsOf(talk)[0];
    const made =
      turn !== undefined && isServed(turn)
        ? turn
        : await responses.create({ store: true }, restricted);
    const body = { model: role('forbidden').id, previous_response_id: idOf(made) };
    return { attempt: await responses.create(body, restricted), control: made, talk };
  },
);

/** Requests a forbidden model in a later turn of a connection on which the key had a valid turn. */
async function laterTurn({ responses, role }: Io): Promise<Exchange> {
  const session = await responses.connect(restricted);
  const { ended } = await responses.turn(session, { store: true });
  if (ended !== null) await responses.turn(session, { model: role('forbidden').id });
  return session.exchange();
}

/** The later turn of such a connection, on one of its own if another model made the response. */
const inLaterTurn = scenario(
  'access/permissions/later-turn',
  {
    needs: {
      model: { speaks: 'responses', supports: ['websocket'], permittedFor: 'restricted' },
      models: { forbidden: { ...forbidden, supports: ['websocket'] } },
      keys: ['restricted'],
    },
    after: { made: underForbiddenModel, control: served['continue-websocket'] },
    cost: { requests: 1, generations: 0, fallback: 1, refused: 1, chain: 3 },
  },
  async (io, { made, control }) => {
    const talk = made.talk ?? (await laterTurn(io));
    const [good = talk, attempt] = turnsOf(talk);
    if (attempt === undefined) throw new Inconclusive('the connection had no second turn', talk);
    return { attempt, control: [good, control.served] };
  },
);

check.each('access/permissions.later-turn-refused', (way: 'continue' | 'continue-websocket') => ({
  on: way === 'continue' ? underForbiddenModel : inLaterTurn,
  judge: ({ attempt, control }) => expect(attempt).toBeRefused({ control }),
}));
