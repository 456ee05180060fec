import {
  assumeServed,
  at,
  check,
  checkEach,
  expect,
  expectValue,
  inputTokens,
  NothingToJudge,
} from '../../harness/index.ts';
import { branched, chain } from '../scenarios/chain.ts';
import { expectGrowth } from '../scenarios/growing-input.ts';
import { namesModel } from '../scenarios/named-model.ts';
import { continued } from '../scenarios/served-operations.ts';
import { type ContinuedAs, continuedConversation } from './continued-conversation.ts';

check('storage/continuation.echoes-previous', continued, ({ first, second }) => {
  assumeServed(second);
  expect(second).toHave(
    'previous_response_id',
    (body) => at(body, 'previous_response_id') === first.id,
  );
});

check('storage/continuation.served', chain, ({ turns: [first, ...later] }) => {
  assumeServed(first);
  for (const turn of later) expect(turn).toBeServed();
});

check('storage/continuation.carries-context', chain, ({ turns }) => {
  assumeServed(turns);
  expectGrowth(turns, 'a chain');
});

checkEach('storage/continuation.earlier-items-counted', (as: ContinuedAs) => ({
  on: continuedConversation[as],
  judge: ({ first, next, model }) => {
    if (next === null) throw new NothingToJudge('a list of items is not accepted as input');
    assumeServed([first, next]);
    if (!namesModel(first, model))
      throw new NothingToJudge(`${model} did not answer the first turn`);
    expectGrowth([first, next], 'a continued conversation');
  },
}));

check('storage/continuation.branches', branched, ({ second, last, branch }) => {
  assumeServed([second, last]);
  expect(branch).toBeServed();
  const [first, again] = [inputTokens(last), inputTokens(branch)];
  if (first === null || again === null) return;
  const as = 'usage.input_tokens of the second continuation in the same words';
  expectValue(again, { as, of: branch }).toBeAtMost(first);
});
