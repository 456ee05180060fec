import { each, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';

/** The protocols that count tokens at an endpoint beside their generation, and that endpoint. */
export const countingEndpoint = {
  messages: 'messages-count-tokens',
  generative: 'count-tokens',
} as const;

export type Counting = keyof typeof countingEndpoint;

export const counting = ['messages', 'generative'] as const;

/** The baseline count, and the same with ten times the input. */
export const longerCount = each(counting, (protocol: Counting) =>
  scenario(
    `counting/longer/${protocol}`,
    {
      after: { count: baseline[countingEndpoint[protocol]] },
      cost: { requests: 1, generations: 0 },
    },
    async ({ ask }, { count: { baseline: shorter, input } }) => ({
      shorter,
      longer: await ask(countingEndpoint[protocol], { input: Array(10).fill(input).join(' ') }),
    }),
  ),
);

/** The baseline generation, and the count of its very input. */
export const countOfGeneration = each(counting, (protocol: Counting) =>
  scenario(
    `counting/generation/${protocol}`,
    {
      // Not the role of the counting endpoint: the count has to be that of the same model.
      needs: { model: { speaks: protocol } },
      after: { generation: baseline[mainEndpoint[protocol]] },
      cost: { requests: 1, generations: 0 },
    },
    async ({ ask }, { generation: { baseline: generation, input } }) => ({
      generation,
      count: await ask(countingEndpoint[protocol], { input }),
    }),
  ),
);

/** The baseline count, which sets no output limit, and the same with one. */
export const countWithLimit = scenario(
  'counting/with-limit',
  {
    after: { count: baseline['messages-count-tokens'] },
    cost: { requests: 1, generations: 0 },
  },
  async ({ messages, target }, { count: { baseline: unlimited } }) => ({
    unlimited,
    limited: await messages.countTokens({ max_tokens: target.limits.maxOutputTokens }),
  }),
);
