import {
  assumeServed,
  check,
  expect,
  expectValue,
  inputTokens,
  NothingToJudge,
  tokenCount,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { unneeded } from '../scenarios/unneeded-limit.ts';
import {
  counting,
  countingEndpoint,
  countOfGeneration,
  countWithLimit,
  longerCount,
} from './counts.ts';

const members = { messages: 'input_tokens', generative: 'totalTokens' } as const;

const usageMembers = {
  messages: 'usage.input_tokens',
  generative: 'usageMetadata.promptTokenCount',
} as const;

for (const protocol of counting) {
  const member = members[protocol];

  check(`counting/${protocol}.shape`, baseline[countingEndpoint[protocol]], (captured) => {
    expect(captured.baseline).toMatchSchema(`${protocol}/token-count`);
  });

  check(`counting/${protocol}.grows-with-input`, longerCount[protocol], (captured) => {
    const { shorter, longer } = captured;
    assumeServed([shorter, longer]);
    const count = tokenCount(shorter);
    if (count === null) throw new NothingToJudge(`the count has no ${member}`);
    const as = `${member} of ten times the input`;
    expectValue(tokenCount(longer), { as, of: longer }).toBeMoreThan(count);
  });

  check(`counting/${protocol}.equals-usage`, countOfGeneration[protocol], (captured) => {
    const { generation, count } = captured;
    assumeServed(generation);
    if (count.response !== null && count.response.status >= 400) {
      throw new NothingToJudge('the model of the baseline generation does not count');
    }
    assumeServed(count);
    const used = inputTokens(generation);
    if (used === null) throw new NothingToJudge(`the answer has no ${usageMembers[protocol]}`);
    expectValue(used, { as: usageMembers[protocol], of: generation }).toEqual(tokenCount(count));
  });
}

check('counting/messages.no-max-tokens-needed', countWithLimit, ({ unlimited, limited }) => {
  unneeded(unlimited, limited);
});
