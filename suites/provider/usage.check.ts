import { type Join, played, rule } from '../../harness/features/provider/index.ts';
import { contentOf } from '../../harness/index.ts';
import { conversation } from './cases.ts';
import { assumeTold, expectSame, expectThat } from './told.ts';

/** A stream of Chat Completions tells its usage only where it was asked for. */
function countsOf(join: Join) {
  const front = assumeTold(join);
  return { front, counts: played[join.route.front].counts(contentOf(front).usage) };
}

rule('provider/usage.input', conversation, (join) => {
  const { front, counts } = countsOf(join);
  expectSame('the input tokens', counts.input ?? null, join.script.say.counts.input, front);
});

rule('provider/usage.output', conversation, (join) => {
  const { front, counts } = countsOf(join);
  expectSame('the output tokens', counts.output ?? null, join.script.say.counts.output, front);
});

rule('provider/usage.cached', conversation, (join) => {
  const { front, counts } = countsOf(join);
  expectSame('the cached tokens', counts.cached ?? null, join.script.say.counts.cached, front);
});

rule('provider/usage.total', conversation, (join) => {
  const { front, counts } = countsOf(join);
  const { input = 0, output = 0, total } = counts;
  expectThat(
    total === null || total === input + output,
    `the total ${input} + ${output}`,
    `${total}`,
    front,
  );
});
