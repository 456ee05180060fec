import {
  check,
  everywhere,
  expect,
  isServed,
  json,
  NothingToJudge,
  optionalFeatures,
  outcome,
  protocolModules,
  type StreamingProtocol,
  view,
} from '../../harness/index.ts';
import { baselineOf } from '../scenarios/baselines.ts';
import { assumeIdsDiffer, isOf, requestBody } from '../scenarios/exchanges.ts';
import { unlimited } from '../scenarios/generations/limits.ts';
import { interruptedInForeground } from '../scenarios/running/interrupted-streams.ts';
import { type AnswerMode, protocolOf, truncatedByMode } from './creation-modes.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

const withoutLimit = {
  ...unlimited,
  responses: view({ cut: interruptedInForeground }, ({ cut: { first } }) => ({ answer: first })),
};

check.each('generation/limits.limit-omitted', (protocol: keyof typeof withoutLimit) => ({
  on: withoutLimit[protocol],
  judge: ({ answer }, { note }) => {
    expect(answer).toBeAnswered();
    note(outcome(answer), answer);
  },
}));

check.each('generation/limits.kept-by-creation-mode', (asked: AnswerMode) => ({
  on: truncatedByMode[asked],
  judge: (truncated) => expectLimitKept(truncated, protocolOf[asked]),
}));

check.each('generation/limits.reported-by-creation-mode', (asked: AnswerMode) => ({
  on: truncatedByMode[asked],
  judge: (truncated) => expectTruncationReported(truncated, protocolOf[asked]),
}));

everywhere.each('generation/limits.kept-in-every-answer', (protocol: StreamingProtocol) => ({
  least: baselineOf[protocol],
  which: isOf(protocol),
  turns: true,
  judge: (answer, run) => {
    const limit = json.number(requestBody(answer), protocolModules[protocol].request.outputLimit);
    // Whoever refuses a limit, or serves none that is out of range, is judged elsewhere.
    if (limit === null || limit < 1 || limit > mostTokens || !isServed(answer)) {
      throw new NothingToJudge('it has no answer to a request with a limit');
    }
    expectLimitKept(
      { answer, limit: limit * Math.max(1, optionalFeatures.saidBy(answer).length) },
      protocol,
    );
    assumeIdsDiffer(answer, run);
  },
}));

const mostTokens = 1e6;
