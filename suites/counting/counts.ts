import { each, scenario } from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';

/** The protocols that count tokens at an endpoint beside their generation, and that endpoint. */
export const countingEndpoint = {
  messages: 'messages-count-tokens',
  generative: 'count-tokens',
} as const;

export type Counting = keyof typeof countingEndpoint;

export const counting = ['messages', 'generative'] as const;

/** The ordinary count, and the same with ten times the input. */
export const longerCount = each(counting, (protocol: Counting) =>
  scenario(
    `counting/longer/${protocol}`,
    {
      after: { count: ordinary[countingEndpoint[protocol]] },
      cost: { requests: 1, generations: 0 },
    },
    async ({ ask }, { count: { ordinary: shorter, input } }) => ({
      shorter,
      longer: await ask(countingEndpoint[protocol], { input: Array(10).fill(input).join(' ') }),
    }),
  ),
);

/** The ordinary generation, and the count of its very input. */
export const countOfGeneration = each(counting, (protocol: Counting) =>
  scenario(
    `counting/generation/${protocol}`,
    {
      // Not the role of the counting endpoint: the count has to be that of the same model.
      needs: { model: { speaks: protocol } },
      after: { generation: ordinary[mainEndpoint[protocol]] },
      cost: { requests: 1, generations: 0 },
    },
    async ({ ask }, { generation: { ordinary: generation, input } }) => ({
      generation,
      count: await ask(countingEndpoint[protocol], { input }),
    }),
  ),
);

/** The ordinary count, which sets no output limit, and the same with one. */
export const countWithLimit = scenario(
  'counting/with-limit',
  {
    after: { count: ordinary['messages-count-tokens'] },
    cost: { requests: 1, generations: 0 },
  },
  async ({ messages, target }, { count: { ordinary: unlimited } }) => ({
    unlimited,
    limited: await messages.countTokens({ max_tokens: target.limits.maxOutputTokens }),
  }),
);
