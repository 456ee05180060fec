import {
  cheaperElsewhere,
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  Inconclusive,
  isRefused,
  type JudgeContext,
  type Model,
  type Protocol,
  protocolModules,
  protocols,
  requestInWords,
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
  inventedModel,
  sendFeatured,
  speakers,
} from '../generations/generation-calls.ts';
import { witness } from '../stored/stored-responses.ts';
import { formsOf, inEachForm, withMember } from './request-forms.ts';

/** A request that names the wrong model, and its control. */
interface WrongModel {
  readonly control: Exchange;
  /** One request with the wrong model per form that the endpoint takes. */
  readonly attempts: readonly Exchange[];
}

export const modelEndpoints = Object.values(endpoints).filter(
  ({ namesModel }) => namesModel !== 'none',
);

export type WrongModels = Readonly<Record<string, Scenario<WrongModel>>>;

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
          const row = protocol === 'systemone' ? null : carriedBy(model, protocol, io);
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

/**
 * Skips a further region that may lack the model. No source says that every region has every model, so a refusal to the
 * owner there may mean a missing model. The region has the model if its lists show it or the target file assigns it.
 */
export function assumeModelThere(
  answer: Exchange,
  { region, hasModels }: Pick<JudgeContext, 'region' | 'hasModels'>,
): void {
  const status = answer.response?.status ?? 0;
  if (hasModels || !isRefused(answer) || status === 401 || status === 403) return;
  const reason = `${requestInWords(answer)} is refused in region ${region} with ${status}: it may not have the model: name those that have it under \`regions\` of the model in the target file`;
  throw new Inconclusive(reason, answer);
}

/** Like `assumeModelThere`, for a feature that a further region may lack even for a model that it has. */
export function assumeOfferedThere(answer: Exchange, region: string | null): void {
  assumeModelThere(answer, { region, hasModels: region === null });
}
