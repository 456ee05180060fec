import {
  cheaperElsewhere,
  declaredCarrier,
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  type Io,
  type Model,
  type Protocol,
  protocolModules,
  protocols,
  type Scenario,
  scenario,
  type Target,
  view,
} from '../../../harness/index.ts';
import { baseline, baselineOf, limitOf, refusedCost } from '../baselines.ts';
import { namesModel } from '../exchanges.ts';
import {
  carriedBy,
  type Featured,
  featuredCost,
  sendFeatured,
} from '../generations/generation-calls.ts';
import { inEachForm } from '../running/background-runs.ts';
import { witness } from '../stored/stored-responses.ts';
import { formsOf, withMember } from './request-forms.ts';

/** A request that names the wrong model, and its control. */
interface WrongModel {
  readonly control: Exchange;
  /** One request with the wrong model per form that the endpoint takes. */
  readonly attempts: readonly Exchange[];
}

/** Endpoints whose requests name a model. */
export const modelEndpoints = Object.values(endpoints).filter(
  ({ namesModel }) => namesModel !== 'none',
);

/** Returns the models that declare the protocol and that the owner may use. */
export function speakers(target: Target, protocol: Protocol): Model[] {
  return target.models.filter(
    ({ protocols: declared, permitted }) =>
      declared.includes(protocol) && (permitted ?? ['owner']).includes('owner'),
  );
}

export type WrongModels = Readonly<Record<string, Scenario<WrongModel>>>;

/** Returns a model id that does not exist, in the form of a real one. */
export function inventedModel({ word }: Pick<Io, 'word'>): string {
  return `${word()}-large`;
}

/** A request whose model does not exist. */
export const unknownModel: WrongModels = byEndpoint((name) =>
  scenario(
    `requests/unknown-model/${name}`,
    { after: { baseline: baseline[name] }, cost: cost(name) },
    async (io, { baseline: { baseline: control, input } }) => {
      const model = inventedModel(io);
      return { control, attempts: await inEachForm(io, name, { input, model }) };
    },
  ),
);

function byEndpoint(
  make: (name: EndpointName, protocol: Protocol) => Scenario<WrongModel>,
): WrongModels {
  return Object.fromEntries(
    modelEndpoints.flatMap(({ name, model }) =>
      model === null ? [] : [[name, make(name, model.speaks)] as const],
    ),
  );
}

function cost(name: EndpointName) {
  return { ...refusedCost(name, formsOf(name).length), chain: 1 };
}

/** Requests each model that does not declare the protocol, the first one in each form of the endpoint. */
export const undeclared: WrongModels = byEndpoint((name, protocol) => {
  const further = ({ models }: Target, first: string): Model[] =>
    models.filter(({ id, protocols }) => id !== first && !protocols.includes(protocol));
  return scenario(
    `requests/undeclared-model/${name}`,
    {
      needs: { models: { undeclared: { notSpeaks: protocol } } },
      after: { baseline: baseline[name] },
      cost: (target) => ({
        ...refusedCost(name, formsOf(name).length + further(target, '').length - 1),
        chain: 1,
      }),
    },
    async (io, { baseline: { baseline: control, input } }) => {
      const model = io.role('undeclared').id;
      const [attempts, others] = await Promise.all([
        inEachForm(io, name, { input, model }),
        Promise.all(
          further(io.target, model).map(({ id }) => io.lane(id).ask(name, { input, model: id })),
        ),
      ]);
      return { control, attempts: [...attempts, ...others] };
    },
  );
});

/** A request that names no model. */
export const withoutModel: WrongModels = byEndpoint((name) =>
  scenario(
    `requests/no-model/${name}`,
    { after: { baseline: baseline[name] }, cost: cost(name) },
    async (io, { baseline: { baseline: control, input } }) => {
      // Further forms name it without a value.
      const absent = [undefined, '', null].values();
      const attempts = await inEachForm(io, name, {
        input,
        change: (call) => withMember(call, 'model', absent.next().value),
        frame: (frame) => ({ ...Object(frame), model: undefined }),
      });
      return { control, attempts };
    },
  ),
);

/** Requests every model of the target file over one protocol that it declares; in a further region, one model. */
export const everyModel = each(protocols, (protocol) =>
  cheaperElsewhere<DeclaredModels>(
    modelsOver(protocol),
    view({ first: baselineOf[protocol] }, ({ first: { baseline } }) => ({
      answers: [baseline],
      featured: [],
      other: undefined,
    })),
  ),
);

interface DeclaredModels {
  readonly answers: readonly Exchange[];
  /** Requests for the other models, with features. */
  readonly featured: readonly Pick<Featured, 'rich' | 'answer'>[];
  /** Another answer, for protocols whose answers are identified by id. */
  readonly other: Exchange | undefined;
}

function modelsOver(protocol: Protocol) {
  const name = protocolModules[protocol].mainEndpoint;
  // Only for stored responses does the specification say that an id identifies one.
  const beside = protocol === 'responses' ? { witness } : {};
  return scenario(
    `access/protocols/declared/${protocol}`,
    {
      after: { baseline: baseline[name], ...beside },
      together: protocol,
      cost: (target) => {
        const others = Math.max(0, speakers(target, protocol).length - 1);
        return {
          ...featuredCost(target, others),
          ...(protocol === 'systemone' ? limitOf(name) : {}),
        };
      },
    },
    async (io, { baseline: { baseline: first, input }, witness: other }) => {
      const others = speakers(io.target, protocol).filter(({ id }) => !namesModel(first, id));
      const featured = await Promise.all(
        others.map(async (model) => {
          const lane = io.lane(model.id);
          const plain = () => lane.ask(name, { input, model: model.id });
          const row =
            protocol === 'systemone' ? null : carriedBy(declaredCarrier(model), protocol, io);
          if (protocol !== 'systemone' && row !== null) {
            return sendFeatured(io, protocol, row, plain, { name: model.id });
          }
          const answer = await plain();
          return { rich: answer, answer };
        }),
      );
      const answers = [first, ...featured.map(({ answer }) => answer)];
      return { answers, featured, other: other?.created };
    },
  );
}
