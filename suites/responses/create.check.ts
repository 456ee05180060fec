import {
  at,
  check,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  idOf,
  mustBeServed,
  NothingToJudge,
  numberAt,
  outputTokens,
  scenario,
  textAt,
  usage,
} from '../../harness/index.ts';
import { asOrdinary, ordinary } from '../ordinary.ts';
import { witness } from '../stored-responses.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { conversationInput } from './item-input.ts';

const created = ordinary.responses;

check('responses/create.shape', created, ({ ordinary }) => {
  expect(ordinary).toMatchSchema('responses/response');
});

check('responses/create.full-shape', created, ({ ordinary }) => {
  expect(ordinary).toMatchSchema('responses/response-full');
});

check('responses/create.finished', created, ({ ordinary }) => {
  // A run that failed is no served answer, and finished all the same.
  if (ending(ordinary) !== 'failed') mustBeServed(ordinary);
  expect(ordinary).toHave('status', (body) =>
    [undefined, null, 'completed', 'incomplete', 'failed'].some(
      (one) => at(body, 'status') === one,
    ),
  );
});

check('responses/create.usage-adds-up', created, ({ ordinary }) => {
  mustBeServed(ordinary);
  const counts = ['input_tokens', 'output_tokens', 'total_tokens'].flatMap(
    (name) => numberAt(usage(ordinary), name) ?? [],
  );
  const [input = 0, output = 0, total] = counts;
  // That all three are there is a requirement of its own.
  if (counts.length < 3) return;
  expectValue(total, { as: 'usage.total_tokens', of: ordinary }).toEqual(input + output);
});

/** The ordinary response, the same once more to the letter, and one that was asked for in other words. */
const three = scenario(
  'responses/three-stored',
  { after: { one: created, other: witness }, cost: { requests: 1, generations: 1 } },
  async ({ ask }, { one: { ordinary: one, input }, other }) => {
    const again = await ask('responses', { input, change: asOrdinary('responses') });
    return { one, others: [other.created, again] };
  },
);

check('responses/create.id-unique', three, ({ one, others }) => {
  const first = idOf(one);
  for (const other of others) {
    expectValue(idOf(other), { as: 'the id of another response', of: other }).toBe(
      `not ${first} again`,
      (id) => id !== first,
    );
  }
});

check('responses/create.item-input', conversationInput, ({ control, created }) => {
  mustBeServed(control);
  expect(created).toBeServed();
});

/** An answer that needs far more than its limit, which is the smallest that is native. */
const limit = 16;
const cutShort = scenario(
  'responses/cut-short',
  { needs: { model: { speaks: 'responses' } }, cost: { requests: 1, generations: 1 } },
  async ({ responses, random }) => ({
    answer: await responses.create({
      input: `Write 400 words about ${random.word.noun()}.`,
      max_output_tokens: limit,
    }),
  }),
);

const apart = scenario(
  'responses/cut-short-and-ordinary',
  { after: { cut: cutShort, other: created }, cost: { requests: 0, generations: 0 } },
  async (_, { cut, other }) => ({ answer: cut.answer, other: other.ordinary }),
);

check('responses/create.output-limit', apart, ({ answer, other }) => {
  mustBeServed(answer);
  const tokens = outputTokens(answer);
  mustBeToldApart([answer], [other]);
  if (tokens === null) throw new NothingToJudge('the answer has no usage.output_tokens');
  if (tokens === 0 && generatedText(answer) !== '') {
    throw new Inconclusive('usage.output_tokens counts nothing', answer);
  }
  expectValue(tokens, { as: 'usage.output_tokens', of: answer }).toBeAtMost(limit);
});

check('responses/create.status-explained', cutShort, ({ answer }) => {
  switch (ending(answer)) {
    case 'incomplete':
      expect(answer).toHave(
        'incomplete_details.reason',
        (body) => typeof at(body, 'incomplete_details.reason') === 'string',
      );
      return;
    case 'failed':
      expect(answer).toHave('error', (body) => at(body, 'error') != null);
      return;
    default:
      mustBeServed(answer);
      throw new NothingToJudge('The answer was neither incomplete nor failed');
  }
});

check('responses/create.cut-short-is-incomplete', cutShort, ({ answer }) => {
  mustBeServed(answer);
  const tokens = outputTokens(answer);
  if (tokens !== limit) {
    throw new Inconclusive(
      `the answer did not come to its limit of ${limit} and stop there: its usage.output_tokens is ${tokens}`,
      answer,
    );
  }
  // That an answer has a status, and a reason, are requirements of their own.
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
