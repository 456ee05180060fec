import {
  at,
  check,
  checkEach,
  expect,
  expectValue,
  inputTokens,
  mustBeServed,
  NothingToJudge,
} from '../../harness/index.ts';
import { namesModel } from '../named-model.ts';
import { continued } from '../served-operations.ts';
import { branched, chain } from './chain.ts';
import { type ContinuedAs, continuedConversation } from './continued-conversation.ts';
import { mustGrow } from './growing-input.ts';

check('responses/continue.echoes-previous', continued, ({ first, second }) => {
  mustBeServed(second);
  expect(second).toHave(
    'previous_response_id',
    (body) => at(body, 'previous_response_id') === first.id,
  );
});

check('responses/continue.served', chain, ({ turns: [first, ...later] }) => {
  mustBeServed(first);
  for (const turn of later) expect(turn).toBeServed();
});

check('responses/continue.carries-context', chain, ({ turns }) => {
  mustBeServed(turns);
  mustGrow(turns, 'a chain');
});

checkEach('responses/continue.earlier-items-counted', (as: ContinuedAs) => ({
  on: continuedConversation[as],
  judge: ({ first, next, model }) => {
    if (next === null) throw new NothingToJudge('a list of items is not accepted as input');
    mustBeServed([first, next]);
    if (!namesModel(first, model))
      throw new NothingToJudge(`${model} did not answer the first turn`);
    mustGrow([first, next], 'a continued conversation');
  },
}));

check('responses/continue.branches', branched, ({ second, last, branch }) => {
  mustBeServed([second, last]);
  expect(branch).toBeServed();
  const [first, again] = [inputTokens(last), inputTokens(branch)];
  if (first === null || again === null) return;
  const as = 'usage.input_tokens of the second continuation in the same words';
  expectValue(again, { as, of: branch }).toBeAtMost(first);
});
