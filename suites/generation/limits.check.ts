import { checkEach, expect, outcome } from '../../harness/index.ts';
import { type Limited, unlimited } from '../scenarios/generations/unlimited.ts';
import { type AnswerMode, protocolOf, truncatedByMode } from './creation-modes.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

checkEach('generation/limits.limit-omitted', (protocol: Limited) => ({
  on: unlimited[protocol],
  judge: ({ answer }, { note }) => {
    expect(answer).toBeAnswered();
    note(outcome(answer), answer);
  },
}));

checkEach('generation/limits.kept-by-creation-mode', (asked: AnswerMode) => ({
  on: truncatedByMode[asked],
  judge: (truncated) => expectLimitKept(truncated, protocolOf[asked]),
}));

checkEach('generation/limits.reported-by-creation-mode', (asked: AnswerMode) => ({
  on: truncatedByMode[asked],
  judge: (truncated) => expectTruncationReported(truncated, protocolOf[asked]),
}));
