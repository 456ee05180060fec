import {
  cheaperElsewhere,
  type Exchange,
  each,
  type Protocol,
  protocols,
  scenario,
  view,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { speakers } from '../scenarios/requests/models.ts';
import { limitOf } from '../scenarios/requests/refused.ts';
import { witness } from '../scenarios/stored/stored-responses.ts';

/** Requests every model of the target file over one protocol that it declares; in a further region, one model. */
export const everyModel = each(protocols, (protocol) =>
  cheaperElsewhere<DeclaredModels>(
    modelsOver(protocol),
    view({ first: baseline[mainEndpoint[protocol]] }, ({ first: { baseline } }) => ({
      answers: [baseline],
      other: undefined,
    })),
  ),
);

interface DeclaredModels {
  readonly answers: readonly Exchange[];
  /** Another answer, for protocols whose answers are identified by id. */
  readonly other: Exchange | undefined;
}

function modelsOver(protocol: Protocol) {
  const name = mainEndpoint[protocol];
  // Only for stored responses does the specification say that an id identifies one.
  const beside = protocol === 'responses' ? { witness } : {};
  return scenario(
    `access/protocols/declared/${protocol}`,
    {
      after: { baseline: baseline[name], ...beside },
      cost: (target) => {
        const others = Math.max(0, speakers(target, protocol).length - 1);
        return { requests: others, generations: others, chain: 1, ...limitOf(name) };
      },
    },
    async ({ target, model, lane }, { baseline: { baseline: first, input }, witness: other }) => {
      const others = speakers(target, protocol).filter(({ id }) => id !== model.id);
      const answers = await Promise.all(
        others.map(({ id }) => lane(id).ask(name, { input, model: id })),
      );
      return { answers: [first, ...answers], other: other?.created };
    },
  );
}
