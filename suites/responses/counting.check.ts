import {
  check,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  inputTokens,
  mustBeServed,
  NothingToJudge,
  tokenCount,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { countedAndCreated, countedTenfold, goneOnFromCompaction } from './counting-scenarios.ts';

check('responses/compact.shape', ordinary.compact, ({ ordinary }) => {
  expect(ordinary).toMatchSchema('responses/compaction');
});

check('responses/compact.output-is-an-input', goneOnFromCompaction, ({ compacted, next }) => {
  mustBeServed(compacted);
  expect(next).toBeServed();
});

check('responses/input-tokens.shape', ordinary['input-tokens'], ({ ordinary }) => {
  expect(ordinary).toMatchSchema('responses/input-tokens');
});

check('responses/input-tokens.grows-with-input', countedTenfold, ({ once, tenfold }) => {
  expectValue(countOf(tenfold), { as: 'input_tokens', of: tenfold }).toBeMoreThan(countOf(once));
});

check('responses/input-tokens.equals-usage', countedAndCreated, ({ counted, created }) => {
  mustBeServed(created);
  const used = inputTokens(created);
  if (used === null) throw new NothingToJudge('the generation has no usage.input_tokens');
  expectValue(countOf(counted), { as: 'input_tokens', of: counted }).toEqual(used);
});

/** @throws {Inconclusive} when there is none: its shape is a requirement of its own */
function countOf(exchange: Exchange): number {
  mustBeServed(exchange);
  const count = tokenCount(exchange);
  if (count === null) throw new Inconclusive('the answer has no input_tokens', exchange);
  return count;
}
