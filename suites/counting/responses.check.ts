import {
  assumeServed,
  check,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  inputTokens,
  NothingToJudge,
  scenario,
  tokenCount,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { bodyAt } from '../scenarios/exchanges.ts';

everywhere(
  'counting/responses.shape',
  { least: baseline['input-tokens'], which: bodyAt('input-tokens') },
  (exchange) => expect(exchange).toMatchSchema('responses/input-tokens'),
);

/** The counted input once more, ten times over. */
const countedTenfold = scenario(
  'counting/responses/tenfold',
  { after: { once: baseline['input-tokens'] }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { once: { baseline: once, input } }) => ({
    once,
    tenfold: await responses.inputTokens({ input: Array(10).fill(input).join(' ') }),
  }),
);

check('counting/responses.grows-with-input', countedTenfold, ({ once, tenfold }) => {
  expectValue(countOf(tenfold), { as: 'input_tokens', of: tenfold }).toBeMoreThan(countOf(once));
});

/** @throws {Inconclusive} when there is none: its shape is a requirement of its own */
function countOf(exchange: Exchange): number {
  assumeServed(exchange);
  const count = tokenCount(exchange);
  if (count === null) throw new Inconclusive('the answer has no input_tokens', exchange);
  return count;
}

/** A generation from the input that was counted, with the same model. */
const countedAndCreated = scenario(
  'counting/responses/created',
  { after: { counted: baseline['input-tokens'] }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { counted: { baseline: counted, input } }) => ({
    counted,
    created: await responses.create({ input }),
  }),
);

check('counting/responses.equals-usage', countedAndCreated, ({ counted, created }) => {
  assumeServed(created);
  const used = inputTokens(created);
  if (used === null) throw new NothingToJudge('the generation has no usage.input_tokens');
  expectValue(countOf(counted), { as: 'input_tokens', of: counted }).toEqual(used);
});
