import {
  answerOf,
  assumeServed,
  check,
  everywhere,
  expect,
  expectValue,
  json,
  NothingToJudge,
  protocolModules,
} from '../../harness/index.ts';
import { baseline, baselineStream } from '../scenarios/baselines.ts';
import { bodyDueAt } from '../scenarios/exchanges.ts';
import { strayPaths } from '../scenarios/requests/alternate-paths.ts';
import { expectNothingHidden, expectTotalAddsUp } from './usage-sums.ts';

everywhere(
  'generation/generative.shape',
  { least: baseline['generate-content'], ...bodyDueAt('generate-content') },
  (exchange) => expect(exchange).toMatchSchema('generative/response'),
);

check('generation/generative.finish-reason', baseline['generate-content'], (captured, { note }) => {
  const { baseline } = captured;
  assumeServed(baseline);
  const candidates = json.list(answerOf(baseline).value, 'candidates');
  if (candidates.length === 0) throw new NothingToJudge('the prompt was blocked');
  for (const [index, candidate] of candidates.entries()) {
    const as = `candidates[${index}].finishReason`;
    const reason = json.at(candidate, 'finishReason');
    // An empty reason means that the candidate is not finished.
    expectValue(reason, { as, of: baseline }).toBe('a name', isName);
    if (!(String(reason) in protocolModules.generative.endings.documented))
      note(`${as}: ${String(reason)}`, baseline);
  }
});

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

check('generation/generative.unknown-action-refused', strayPaths, ({ control, unknownAction }) => {
  expect(unknownAction).toBeRefused({ control });
});

check('generation/generative.usage-adds-up', baseline['generate-content'], ({ baseline }) => {
  expectTotalAddsUp(baseline, 'generative');
});

check(
  'generation/generative.hidden-tokens-shown',
  { one: baseline['generate-content'], stream: baselineStream.generative },
  ({ one, stream }) => {
    expectNothingHidden(one.baseline, 'generative');
    expectNothingHidden(stream.streamed, 'generative');
  },
);
