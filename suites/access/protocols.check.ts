import {
  checkEach,
  type EndpointName,
  expect,
  type Protocol,
  present,
  type RequirementOver,
  scenario,
} from '../../harness/index.ts';
import { assumeDistinctIds, assumeModelThere } from '../scenarios/assumptions.ts';
import { expectNotServed } from '../scenarios/requests/accepted-requests.ts';
import {
  undeclared,
  unknownModel,
  type WrongModels,
  withoutModel,
} from '../scenarios/requests/models.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { turnOf } from '../scenarios/websocket/conversation.ts';
import { everyModel } from './every-model.ts';

checkEach('access/protocols.declared-served', (protocol: Protocol) => ({
  on: everyModel[protocol],
  judge: ({ answers, other }, { region }) => {
    for (const answer of answers) {
      assumeModelThere(answer, region);
      expect(answer).toBeServed();
    }
    if (other !== undefined) assumeDistinctIds(answers, [other]);
  },
}));

bindRefusals('access/protocols.unknown-model-refused', unknownModel);
bindRefusals('access/protocols.undeclared-refused', undeclared);
bindRefusals('access/protocols.model-required', withoutModel);

function bindRefusals(requirement: RequirementOver<EndpointName>, scenarios: WrongModels): void {
  checkEach(requirement, (endpoint: EndpointName) => ({
    on: present(scenarios[endpoint], endpoint),
    judge: ({ attempts, control }) => {
      for (const attempt of attempts) expectNotServed(attempt, [control]);
    },
  }));
}

const speaksOther = { notSpeaks: 'responses' } as const;

/** A model that does not declare Responses, in a continuation, and in a turn behind a good one. */
const undeclaredLater = {
  continue: scenario(
    'access/protocols/continued',
    {
      needs: { models: { undeclared: speaksOther } },
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
  ),
  'continue-websocket': scenario(
    'access/protocols/later-turn',
    {
      needs: {
        model: { speaks: 'responses', supports: ['websocket'] },
        models: { undeclared: speaksOther },
      },
      cost: { requests: 1, generations: 1, refused: 1, chain: 2 },
    },
    async ({ responses, role }) => {
      const session = await responses.connect();
      const { ended } = await responses.turn(session);
      if (ended !== null) await responses.turn(session, { model: role('undeclared').id });
      const talk = await session.exchange();
      return { good: turnOf(talk, 0), attempt: turnOf(talk, 1) };
    },
  ),
};

checkEach('access/protocols.later-turn-refused', (later: keyof typeof undeclaredLater) => ({
  on: undeclaredLater[later],
  judge: ({ good, attempt }) => {
    expect(attempt).toBeRefused({ control: good });
  },
}));
