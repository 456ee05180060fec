import {
  assumeServed,
  check,
  type Exchange,
  each,
  everywhere,
  expect,
  expectValue,
  isRefused,
  json,
  NothingToJudge,
  protocolModules,
  scenario,
  tokenCounts,
} from '../../harness/index.ts';
import { baseline, baselineOf, expectLimitUnneeded } from '../scenarios/baselines.ts';
import { bodyDueAt, requestBody } from '../scenarios/exchanges.ts';

const counting = ['responses', 'messages', 'generative'] as const;

/** Protocols with a separate endpoint for counting tokens, and that endpoint. */
const countingEndpoint = {
  responses: 'input-tokens',
  messages: 'messages-count-tokens',
  generative: 'count-tokens',
} as const;

type Counting = keyof typeof countingEndpoint;

const schemas = {
  responses: 'responses/input-tokens',
  messages: 'messages/token-count',
  generative: 'generative/token-count',
} as const;

/** Baseline count, and a count of ten times the input. */
const longerCount = each(counting, (protocol: Counting) =>
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

/** Baseline generation, and the count of exactly its input. */
const countOfGeneration = each(counting, (protocol: Counting) =>
  scenario(
    `counting/generation/${protocol}`,
    {
      // Not the role of the counting endpoint, because the count needs the same model.
      needs: { model: { speaks: protocol } },
      after: { generation: baselineOf[protocol] },
      cost: { requests: 1, generations: 0 },
    },
    async ({ ask }, { generation: { baseline: generation, input } }) => ({
      generation,
      count: await ask(countingEndpoint[protocol], { input }),
    }),
  ),
);

/** True if the input is a text or a list, rather than a value that means no input. */
function hasInput(exchange: Exchange, protocol: Counting): boolean {
  const input = requestBody(exchange)?.[protocolModules[protocol].request.input];
  const isText = typeof input === 'string' && protocol === 'responses';
  return isText || (Array.isArray(input) && input.every(json.isObject));
}

for (const protocol of counting) {
  const { usage } = protocolModules[protocol];
  const member = usage.counted;
  const input = `${usage.member}.${usage.input}`;

  const endpoint = countingEndpoint[protocol];
  const due = bodyDueAt(endpoint);

  everywhere(
    `counting/${protocol}.shape`,
    {
      ...due,
      least: baseline[endpoint],
      // Without an input, 0 is correct.
      which: (exchange, run) => due.which(exchange, run) && hasInput(exchange, protocol),
    },
    (exchange) => expect(exchange).toMatchSchema(schemas[protocol]),
  );

  check(`counting/${protocol}.grows-with-input`, longerCount[protocol], (captured) => {
    const { shorter, longer } = captured;
    assumeServed([shorter, longer]);
    const count = tokenCounts.result(shorter);
    if (count === null) throw new NothingToJudge(`the count has no ${member}`);
    const as = `${member} of ten times the input`;
    expectValue(tokenCounts.result(longer), { as, of: longer }).toBeMoreThan(count);
  });

  check(`counting/${protocol}.equals-usage`, countOfGeneration[protocol], (captured) => {
    const { generation, count } = captured;
    assumeServed(generation);
    if (isRefused(count)) {
      throw new NothingToJudge('the model of the baseline generation does not count');
    }
    assumeServed(count);
    const used = tokenCounts.input(generation);
    if (used === null) throw new NothingToJudge(`the answer has no ${input}`);
    const counted = tokenCounts.result(count);
    if (counted === null) throw new NothingToJudge(`the count has no ${member}`);
    expectValue(used, { as: input, of: generation }).toEqual(counted);
  });
}

/** Baseline count, which sets no output limit, and the same count with one. */
const countWithLimit = scenario(
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

check('counting/messages.no-max-tokens-needed', countWithLimit, ({ unlimited, limited }) => {
  expectLimitUnneeded(unlimited, limited);
});
