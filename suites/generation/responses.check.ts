import {
  assumeServed,
  at,
  check,
  type Exchange,
  ending,
  everywhere,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  NothingToJudge,
  nativeBody,
  numberAt,
  outputTokens,
  scenario,
  textAt,
  usage,
} from '../../harness/index.ts';
import { assumeDistinctIds } from '../scenarios/assumptions.ts';
import { asBaseline, baseline } from '../scenarios/baselines.ts';
import { createdIn, expectNewIds, isOf } from '../scenarios/created-answers.ts';
import { bodyDueAt } from '../scenarios/exchanges.ts';
import { conversationInput } from '../scenarios/generations/conversation-input.ts';
import { witness } from '../scenarios/stored/stored-responses.ts';
import { expectWithinLimit, isAtLimit } from '../scenarios/token-counts.ts';

const created = baseline.responses;

everywhere(
  'generation/responses.shape',
  { least: created, ...bodyDueAt('responses') },
  (exchange) => expect(exchange).toMatchSchema('responses/response'),
);

everywhere(
  'generation/responses.full-shape',
  { least: created, ...bodyDueAt('responses') },
  (exchange) => expect(exchange).toMatchSchema('responses/response-full'),
);

check('generation/responses.usage-adds-up', created, ({ baseline }) => {
  assumeServed(baseline);
  const counts = ['input_tokens', 'output_tokens', 'total_tokens'].flatMap(
    (name) => numberAt(usage(baseline), name) ?? [],
  );
  const [input = 0, output = 0, total] = counts;
  // Another check requires all three counts.
  if (counts.length < 3) return;
  expectValue(total, { as: 'usage.total_tokens', of: baseline }).toEqual(input + output);
});

/** The baseline response, an identical request, and a request with different text. */
const three = scenario(
  'generation/three-responses',
  { after: { one: created, other: witness }, cost: { requests: 1, generations: 1 } },
  async ({ ask }, { one: { baseline: one, input }, other }) => {
    const again = await ask('responses', { input, change: asBaseline('responses') });
    return { one, others: [other.created, again] };
  },
);

everywhere(
  'generation/responses.id-unique',
  { least: three, which: isOf('responses'), turns: true },
  (exchange, run) => {
    if (!createdIn(run).has(exchange)) throw new NothingToJudge('it created nothing');
    expectNewIds(exchange, 'answers', run);
  },
);

check('generation/responses.item-input', conversationInput, ({ control, created }) => {
  assumeServed(control);
  expect(created).toBeServed();
});

/** An answer that needs far more than its limit, which is the minimum of the native API. */
const limit = 16;
const truncated = scenario(
  'generation/truncated-response',
  { needs: { model: { speaks: 'responses' } }, cost: { requests: 1, generations: 1 } },
  async ({ responses, text }) => ({
    answer: await responses.create({
      input: text(400),
      max_output_tokens: limit,
    }),
  }),
);

check(
  'generation/responses.output-limit',
  { truncated, created },
  ({ truncated: { answer }, created }) => {
    assumeServed(answer);
    const tokens = outputTokens(answer);
    assumeDistinctIds([answer], [created.baseline]);
    if (tokens === null) throw new NothingToJudge('the answer has no usage.output_tokens');
    if (tokens === 0 && generatedText(answer) !== '') {
      throw new Inconclusive('usage.output_tokens counts nothing', answer);
    }
    expectWithinLimit(tokens, limit, { as: 'usage.output_tokens', of: answer });
  },
);

everywhere(
  'generation/responses.status-explained',
  {
    least: truncated,
    which: ({ about, socket }) => socket === null && explaining.has(about.operation),
  },
  (answer) => {
    const body = nativeBody(answer);
    switch (ending(answer)) {
      case 'incomplete':
        // A lookup may omit details that the creation showed.
        if (isLookup(answer) && at(body, 'incomplete_details') == null) break;
        expect(answer).toHave(
          'incomplete_details.reason',
          () => typeof at(body, 'incomplete_details.reason') === 'string',
        );
        return;
      case 'failed':
        expect(answer).toHave('error', () => at(body, 'error') != null);
        return;
      default:
        assumeServed(answer);
    }
    throw new NothingToJudge(`the response is ${ending(answer)}`);
  },
);

const explaining: ReadonlySet<string> = new Set([
  'responses.create',
  'responses.stream',
  'responses.lookup',
]);

function isLookup({ about }: Exchange): boolean {
  return about.operation === 'responses.lookup';
}

check('generation/responses.truncated-is-incomplete', truncated, ({ answer }) => {
  assumeServed(answer);
  const tokens = outputTokens(answer);
  if (!isAtLimit(tokens, limit)) {
    throw new Inconclusive(
      `the answer did not reach its limit of ${limit} and stop there: its usage.output_tokens is ${tokens}`,
      answer,
    );
  }
  // Other checks require a status and a reason.
  expect(answer).toHave('status', (body) =>
    ['incomplete', undefined].includes(textAt(body, 'status') ?? undefined),
  );
  expect(answer).toHave('incomplete_details.reason', (body) =>
    ['max_output_tokens', undefined].includes(reasonIn(body)),
  );
});

function reasonIn(body: unknown): string | undefined {
  return textAt(body, 'incomplete_details.reason') ?? undefined;
}
