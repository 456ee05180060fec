import { checkEach, expect, type Protocol, present } from '../../harness/index.ts';
import { expectNotServed } from '../accepted-first.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { everyModel } from './every-model.ts';
import { undeclared, unknownModel, type WrongModels, withoutModel } from './wrong-models.ts';

checkEach('rules/protocols.declared-served', (protocol: Protocol) => ({
  on: everyModel[protocol],
  judge: ({ answers, other }) => {
    for (const answer of answers) expect(answer).toBeServed();
    if (other !== undefined) mustBeToldApart(answers, [other]);
  },
}));

bindRefusals('rules/protocols.unknown-model-refused', unknownModel);
bindRefusals('rules/protocols.undeclared-refused', undeclared);
bindRefusals('rules/protocols.model-required', withoutModel);

function bindRefusals(requirement: string, scenarios: WrongModels): void {
  checkEach(requirement, (endpoint: string) => ({
    on: present(scenarios[endpoint], endpoint),
    judge: ({ attempts, control }) => {
      for (const attempt of attempts) expectNotServed(attempt, [control]);
    },
  }));
}
