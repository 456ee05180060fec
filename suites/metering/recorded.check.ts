import {
  assumeServed,
  checkEach,
  expectValue,
  inputTokens,
  NothingToJudge,
  numberAt,
  outputTokens,
  usage,
} from '../../harness/index.ts';
import { isMetered } from '../scenarios/ledger.ts';
import { type Asked, recorded } from './recorded.ts';

checkEach('metering/ledger.generation-recorded', (asked: Asked) => ({
  on: recorded[asked],
  judge: ({ entry: { request, records }, answer }) => {
    assumeServed(answer);
    expectValue(records, { as: 'records', of: request }).toBe(
      'one at least with usage or a charge',
      () => records.some(isMetered),
    );
  },
}));

checkEach('metering/ledger.record-matches-usage', (asked: Exclude<Asked, 'systemone'>) => ({
  on: recorded[asked],
  judge: ({ entry: { request, records }, answer }) => {
    assumeServed(answer);
    const told = { input: inputTokens(answer) ?? 0, output: outputTokens(answer) ?? 0 };
    const kept = records.map((one) => ({ input: one.inputTokens, output: one.outputTokens }));
    if (told.input === 0 || told.output === 0) {
      throw new NothingToJudge('the answer does not show how many tokens were used');
    }
    // Thoughts are counted beside the output, and may be charged like it.
    const thoughts = numberAt(usage(answer), 'thoughtsTokenCount') ?? 0;
    const outputs = [told.output, told.output + thoughts];
    const [inputSum, outputSum] = [sum(kept, 'input'), sum(kept, 'output')];
    if (inputSum + outputSum === 0) throw new NothingToJudge('the ledger shows no usage');
    const asOutput = 'recorded output tokens, of each record and together';
    const counts = [...kept.map(({ output }) => output), outputSum];
    expectValue(counts, { as: asOutput, of: request }).toBe(`${told.output} among them`, () =>
      counts.some((count) => outputs.includes(count)),
    );
    // What was read from a cache is not in the input of every protocol, and is charged.
    const as = 'recorded input tokens';
    expectValue(inputSum, { as, of: request }).toBe(`${told.input} at least`, (n) =>
      Boolean(Number(n) >= told.input),
    );
  },
}));

function sum(
  counts: readonly { readonly input: number; readonly output: number }[],
  which: 'input' | 'output',
): number {
  return counts.reduce((so, count) => so + count[which], 0);
}
