import {
  type EndpointName,
  type Exchange,
  endpoints,
  type Model,
  permittedKeys,
  type Scenario,
  scenario,
  type Target,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { inEachForm, modelEndpoints, namesModel } from '../scenarios/requests/models.ts';
import { refusedCost } from '../scenarios/requests/refused.ts';
import { formsOf } from '../scenarios/requests/request-modes.ts';
import { restrictedWorks } from './key-controls.ts';

const restricted = { key: 'restricted' } as const;

/** Requests with the restricted key for a model that it may not use. */
interface Unpermitted {
  /** Controls: the same request with the owner's key, and a request that the restricted key may make. */
  readonly controls: readonly Exchange[];
  /** One request per form that the endpoint takes, and one for each further model. */
  readonly attempts: readonly Exchange[];
}

export const unpermitted: Readonly<Record<string, Scenario<Unpermitted>>> = Object.fromEntries(
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
