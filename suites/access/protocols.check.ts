import {
  answerOf,
  check,
  type EndpointName,
  type Exchange,
  ExpectationFailed,
  each,
  expect,
  isRefused,
  isServed,
  NothingToJudge,
  type Protocol,
  protocolModules,
  protocols,
  type RequirementOver,
  scenario,
  type Target,
} from '../../harness/index.ts';
import { refusedCost } from '../scenarios/baselines.ts';
import { assumeDistinctIds, present } from '../scenarios/exchanges.ts';
import { inventedModel } from '../scenarios/generations/generation-calls.ts';
import {
  assumeModelThere,
  everyModel,
  undeclared,
  unknownModel,
  type WrongModels,
  withoutModel,
} from '../scenarios/requests/models.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { expectNotServed } from '../scenarios/stored/stored-responses.ts';
import { refusedTurns } from '../scenarios/websocket/conversation.ts';

check.each('access/protocols.declared-served', (protocol: Protocol) => ({
  on: everyModel[protocol],
  judge: ({ answers, other }, place) => {
    for (const answer of answers) {
      assumeModelThere(answer, place);
      expectServedIn(place.region, answer);
    }
    if (other !== undefined) assumeDistinctIds(answers, [other]);
  },
}));

/**
 * Judges that the request is served. In a further region, whose lists may cover all regions, the failure names
 * other possible reasons.
 */
function expectServedIn(region: string | null, answer: Exchange): void {
  try {
    expect(answer).toBeServed();
  } catch (error) {
    if (region === null || !(error instanceof ExpectationFailed)) throw error;
    const doubt = `a model that is listed in ${region} and is not there needs \`regions\` in the target file`;
    throw error.told(`${error.actual}; ${doubt}`);
  }
}

/** Requests a nonexistent model over a protocol that no model declares and that no gateway has to serve. */
const leftOut = each(protocols, (protocol) =>
  scenario(
    `access/protocols/left-out/${protocol}`,
    {
      aside: true,
      cost: (target) =>
        isDeclared(target, protocol)
          ? { requests: 0, generations: 0 }
          : refusedCost(protocolModules[protocol].mainEndpoint, 1),
    },
    async (io) => {
      if (isDeclared(io.target, protocol)) throw new NothingToJudge('a model declares it');
      const model = inventedModel(io);
      return { model, answer: await io.ask(protocolModules[protocol].mainEndpoint, { model }) };
    },
  ),
);

check.each('access/protocols.left-out', (protocol: Protocol) => ({
  on: leftOut[protocol],
  judge: ({ answer, model }, { note }) => {
    if (knowsModels(answer, model)) note(`${protocol} is served`, answer);
  },
}));

function isDeclared({ models }: Target, protocol: Protocol): boolean {
  return models.some(({ protocols: declared }) => declared.includes(protocol));
}

/**
 * True if the answer is served, or refused because of the model. A generic "not found" page, which quotes the
 * address, does not count.
 */
function knowsModels(answer: Exchange, model: string): boolean {
  const { response, request } = answer;
  if (isServed(answer)) return true;
  if (response === null || !isRefused(answer)) return false;
  const text = new TextDecoder().decode(response.body);
  const isAboutPath = text.includes(new URL(request.url).pathname);
  return answerOf(answer).value !== null && text.includes(model) && !isAboutPath;
}

bindRefusals('access/protocols.unknown-model-refused', unknownModel);
bindRefusals('access/protocols.undeclared-refused', undeclared);
bindRefusals('access/protocols.model-required', withoutModel);

function bindRefusals(requirement: RequirementOver<EndpointName>, scenarios: WrongModels): void {
  check.each(requirement, (endpoint: EndpointName) => ({
    on: present(scenarios[endpoint], endpoint),
    judge: ({ attempts, control }) => {
      for (const attempt of attempts) expectNotServed(attempt, [control]);
    },
  }));
}

/** Continues a response with a model that does not declare Responses. */
const continuedBy = scenario(
  'access/protocols/continued',
  {
    needs: { models: { undeclared: { notSpeaks: 'responses' } } },
    after: { continued },
    cost: { requests: 1, generations: 0, refused: 1 },
  },
  async ({ responses, role }, { continued: { first, second } }) => ({
    good: second,
    attempt: await responses.create({
      model: role('undeclared').id,
      previous_response_id: first.id,
    }),
  }),
);

check('access/protocols.later-turn-refused:continue', continuedBy, ({ attempt, good }) => {
  expect(attempt).toBeRefused({ control: good });
});

type Refused = Awaited<ReturnType<(typeof refusedTurns)['capture']>>;

/** Judges that a turn is refused that names a model which does not answer there. */
function expectRefused({ good, naming, models }: Refused, which: keyof Refused['models']): void {
  const model = models[which];
  if (model === undefined) throw new NothingToJudge('every model is there on a WebSocket');
  const turn = naming(model);
  // A gateway that has refused a turn may close the connection.
  if (turn === null) throw new NothingToJudge('the connection had ended before it');
  expect(turn).toBeRefused({ capability: which === 'lacking-model', control: good });
}

check('access/protocols.later-turn-refused:continue-websocket', refusedTurns, (captured) => {
  expectRefused(captured, 'undeclared');
});

check.each(
  'access/protocols.further-turns-refused',
  (which: 'unknown-model' | 'lacking-model') => ({
    on: refusedTurns,
    judge: (captured) => expectRefused(captured, which),
  }),
);
