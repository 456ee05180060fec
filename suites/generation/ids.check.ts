import { check, type Exchange, expectValue, idOf, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { unstreamed } from '../scenarios/stream-switch.ts';
import { truncated } from '../scenarios/truncated.ts';

for (const protocol of ['chat-completions', 'messages'] as const) {
  const two = scenario(
    `generation/two-requests/${protocol}`,
    {
      after: { one: baseline[protocol], other: truncated[protocol] },
      cost: { requests: 0, generations: 0 },
    },
    async (_, { one, other }) => ({ one: one.baseline, other: other.cut }),
  );

  check(`generation/${protocol}.id-unique`, two, ({ one, other }) => expectAnotherId(other, one));

  check(`generation/${protocol}.repeat-has-new-id`, unstreamed[protocol], ({ absent, off }) => {
    expectAnotherId(off, absent);
  });
}

function expectAnotherId(answer: Exchange, first: Exchange): void {
  const id = idOf(first);
  expectValue(idOf(answer), { as: 'the id of another answer', of: answer }).toBe(
    `not ${id} again`,
    (one) => one !== id,
  );
}
