import {
  assumeServed,
  check,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  inputTokens,
  NothingToJudge,
  tokenCount,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { countedAndCreated, countedTenfold, goneOnFromCompaction } from './responses-counts.ts';

check('generation/compact.shape', baseline.compact, ({ baseline }) => {
  expect(baseline).toMatchSchema('responses/compaction');
});

check('generation/compact.output-is-an-input', goneOnFromCompaction, ({ compacted, next }) => {
  assumeServed(compacted);
  expect(next).toBeServed();
});

check('counting/responses.shape', baseline['input-tokens'], ({ baseline }) => {
  expect(baseline).toMatchSchema('responses/input-tokens');
});

check('counting/responses.grows-with-input', countedTenfold, ({ once, tenfold }) => {
  expectValue(countOf(tenfold), { as: 'input_tokens', of: tenfold }).toBeMoreThan(countOf(once));
});

check('counting/responses.equals-usage', countedAndCreated, ({ counted, created }) => {
  assumeServed(created);
  const used = inputTokens(created);
  if (used === null) throw new NothingToJudge('the generation has no usage.input_tokens');
  expectValue(countOf(counted), { as: 'input_tokens', of: counted }).toEqual(used);
});

/** @throws {Inconclusive} when there is none: its shape is a requirement of its own */
function countOf(exchange: Exchange): number {
  assumeServed(exchange);
  const count = tokenCount(exchange);
  if (count === null) throw new Inconclusive('the answer has no input_tokens', exchange);
  return count;
}
