import { at, check, expect, idOf, mustBeServed, scenario } from '../../harness/index.ts';
import { continued } from '../served-operations.ts';
import { lastInput, mustGrow } from './growing-input.ts';

check('responses/continue.echoes-previous', continued, ({ first, second }) => {
  mustBeServed(second);
  expect(second).toHave(
    'previous_response_id',
    (body) => at(body, 'previous_response_id') === first.id,
  );
});

/** A third turn. */
const chain = scenario(
  'responses/chain-of-three',
  { after: { two: continued }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { two: { first, second } }) => ({
    turns: [
      first.created,
      second,
      await responses.create({ previous_response_id: idOf(second), input: lastInput }),
    ],
  }),
);

check('responses/continue.served', chain, ({ turns: [first, ...later] }) => {
  mustBeServed(first);
  for (const turn of later) expect(turn).toBeServed();
});

check('responses/continue.carries-context', chain, ({ turns }) => {
  mustBeServed(turns);
  mustGrow(turns, 'a chain');
});
