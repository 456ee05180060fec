import {
  check,
  expect,
  expectValue,
  inputTokens,
  mustBeServed,
  NothingToJudge,
  tokenCount,
} from '../../harness/index.ts';
import { unneeded } from '../generation/unneeded-limit.ts';
import { ordinary } from '../ordinary.ts';
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

  check(`${protocol}/count-tokens.shape`, ordinary[countingEndpoint[protocol]], (captured) => {
    expect(captured.ordinary).toMatchSchema(`${protocol}/token-count`);
  });

  check(`${protocol}/count-tokens.grows-with-input`, longerCount[protocol], (captured) => {
    const { shorter, longer } = captured;
    mustBeServed([shorter, longer]);
    const count = tokenCount(shorter);
    if (count === null) throw new NothingToJudge(`the count has no ${member}`);
    const as = `${member} of ten times the input`;
    expectValue(tokenCount(longer), { as, of: longer }).toBeMoreThan(count);
  });

  check(`${protocol}/count-tokens.equals-usage`, countOfGeneration[protocol], (captured) => {
    const { generation, count } = captured;
    mustBeServed(generation);
    if (count.response !== null && count.response.status >= 400) {
      throw new NothingToJudge('the model of the ordinary generation does not count');
    }
    mustBeServed(count);
    const used = inputTokens(generation);
    if (used === null) throw new NothingToJudge(`the answer has no ${usageMembers[protocol]}`);
    expectValue(used, { as: usageMembers[protocol], of: generation }).toEqual(tokenCount(count));
  });
}

check('messages/count-tokens.no-max-tokens-needed', countWithLimit, ({ unlimited, limited }) => {
  unneeded(unlimited, limited);
});
