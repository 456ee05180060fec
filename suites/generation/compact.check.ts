import {
  answerOf,
  assumeServed,
  check,
  everywhere,
  expect,
  Inconclusive,
  json,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { bodyDueAt } from '../scenarios/exchanges.ts';

everywhere(
  'generation/compact.shape',
  { least: baseline.compact, ...bodyDueAt('compact') },
  (exchange) => expect(exchange).toMatchSchema('responses/compaction'),
);

/** Sends the output of a compact call, followed by a new message, as the input of a generation. */
const goneOnFromCompaction = scenario(
  'generation/compact/gone-on',
  { after: { compacted: baseline.compact }, cost: { requests: 1, generations: 1 } },
  async ({ responses, sentence }, { compacted: { baseline: compacted } }) => {
    const output = json.list(answerOf(compacted).value, 'output');
    if (output.length === 0) throw new Inconclusive('the compact call has no output', compacted);
    const message = { type: 'message', role: 'user', content: sentence() };
    return { compacted, next: await responses.create({ input: [...output, message] }) };
  },
);

check('generation/compact.output-is-an-input', goneOnFromCompaction, ({ compacted, next }) => {
  assumeServed(compacted);
  expect(next).toBeServed();
});
