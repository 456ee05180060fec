import {
  assumeServed,
  checkEach,
  type Exchange,
  ExpectationFailed,
  ending,
  expect,
  isServed,
  isUnavailable,
} from '../../harness/index.ts';
import { assumeDistinctIds } from '../scenarios/distinct-ids.ts';
import { lacking, offered, undeclared } from './capabilities.ts';
import type { CapabilityName } from './capability-requests.ts';

checkEach('access/capabilities.offered-served', (capability: CapabilityName) => ({
  on: offered[capability],
  judge: ({ answer, control }) => {
    assumeServed(control);
    expect(answer).toBeServed();
    // Only of stored responses does the specification say that an id is what finds one.
    if (answer.about.protocol === 'responses') assumeDistinctIds([answer], [control]);
  },
}));

checkEach('access/capabilities.unsupported-refused', (capability: CapabilityName) => ({
  on: lacking[capability],
  judge: ({ attempts, control, model }) => {
    for (const attempt of attempts) {
      if (isUnavailable(attempt)) {
        assumeServed(control);
        continue;
      }
      try {
        expect(attempt).toBeRefused({ capability: true, control });
      } catch (error) {
        if (!(error instanceof ExpectationFailed && inFull(capability, attempt))) throw error;
        const doubt = `the target file may be wrong to say that ${model} lacks ${capability}`;
        throw new ExpectationFailed(error.expected, `${error.actual}; ${doubt}`, attempt);
      }
    }
  },
}));

checkEach('access/capabilities.undeclared-but-served', (capability: CapabilityName) => ({
  on: undeclared[capability],
  judge: ({ answer, model }, { note }) => {
    if (inFull(capability, answer)) note(`${model} serves ${capability}`, answer);
  },
}));

/** Served as what it was asked to be, and not some other way. */
function inFull(capability: CapabilityName, answer: Exchange): boolean {
  const pending = ['queued', 'in_progress'].includes(ending(answer) ?? '');
  return isServed(answer) && (capability !== 'background' || pending);
}
