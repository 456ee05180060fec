import { check, type Exchange, expectValue, idOf, scenario } from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { unstreamed } from '../rules/stream-switch.ts';
import { cutShort } from './cut-short.ts';

for (const protocol of ['chat-completions', 'messages'] as const) {
  const two = scenario(
    `generation/two-requests/${protocol}`,
    {
      after: { one: ordinary[protocol], other: cutShort[protocol] },
      cost: { requests: 0, generations: 0 },
    },
    async (_, { one, other }) => ({ one: one.ordinary, other: other.cut }),
  );

  check(`${protocol}/create.id-unique`, two, ({ one, other }) => mustBeAnother(other, one));

  check(`${protocol}/create.repeat-is-new`, unstreamed[protocol], ({ absent, off }) => {
    mustBeAnother(off, absent);
  });
}

function mustBeAnother(answer: Exchange, first: Exchange): void {
  const id = idOf(first);
  expectValue(idOf(answer), { as: 'the id of another answer', of: answer }).toBe(
    `not ${id} again`,
    (one) => one !== id,
  );
}
