import {
  checkEach,
  type EndpointName,
  expect,
  type Protocol,
  present,
  type RequirementOver,
} from '../../harness/index.ts';
import { assumeDistinctIds, assumeModelThere } from '../scenarios/assumptions.ts';
import { expectNotServed } from '../scenarios/requests/accepted-requests.ts';
import {
  undeclared,
  unknownModel,
  type WrongModels,
  withoutModel,
} from '../scenarios/requests/models.ts';
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
