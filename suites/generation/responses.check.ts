import {
  assumeServed,
  check,
  contentOf,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  json,
  NothingToJudge,
  nativeBody,
  view,
} from '../../harness/index.ts';
import { baseline, conversationInput, unstreamed } from '../scenarios/baselines.ts';
import {
  assumeDistinctIds,
  bodyDueAt,
  createdIn,
  expectNewIds,
  isOf,
} from '../scenarios/exchanges.ts';
import { leastLimit, witness } from '../scenarios/stored/stored-responses.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

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
    (name) => json.number(contentOf(baseline).usage, name) ?? [],
  );
  const [input = 0, output = 0, total] = counts;
  // Another check requires all three counts.
  if (counts.length < 3) return;
  expectValue(total, { as: 'usage.total_tokens', of: baseline }).toEqual(input + output);
});

everywhere(
  'generation/responses.id-unique',
  {
    least: { one: created, again: unstreamed.responses, other: witness },
    which: isOf('responses'),
    turns: true,
  },
  (exchange, run) => {
    if (!createdIn(run).has(exchange)) throw new NothingToJudge('it created nothing');
    expectNewIds(exchange, 'answers', run);
  },
);

check('generation/responses.item-input', conversationInput, ({ control, created }) => {
  assumeServed(control);
  expect(created).toBeServed();
});

const limited = view({ witness, created }, ({ witness: { created: answer }, created }) => {
  assumeServed(answer);
  assumeDistinctIds([answer], [created.baseline]);
  return { answer, limit: leastLimit };
});

check('generation/responses.output-limit', limited, (truncated) => {
  expectLimitKept(truncated, 'responses');
});

check('generation/responses.truncated-is-incomplete', limited, (truncated) => {
  expectTruncationReported(truncated, 'responses');
});

everywhere(
  'generation/responses.status-explained',
  {
    least: witness,
    which: ({ about, socket }) => socket === null && explaining.has(about.operation),
  },
  (answer) => {
    const body = nativeBody(answer);
    switch (contentOf(answer).ending) {
      case 'incomplete':
        // A lookup may omit details that the creation showed.
        if (isLookup(answer) && json.at(body, 'incomplete_details') == null) break;
        expect(answer).toHave(
          'incomplete_details.reason',
          () => typeof json.at(body, 'incomplete_details.reason') === 'string',
        );
        return;
      case 'failed':
        expect(answer).toHave('error', () => json.at(body, 'error') != null);
        return;
      default:
        assumeServed(answer);
    }
    throw new NothingToJudge(`the response is ${contentOf(answer).ending}`);
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
