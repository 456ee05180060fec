import { at, check, expect, mustBeServed } from '../../harness/index.ts';
import { continued } from '../served-operations.ts';
import { chain } from './chain.ts';
import { mustGrow } from './growing-input.ts';

check('responses/continue.echoes-previous', continued, ({ first, second }) => {
  mustBeServed(second);
  expect(second).toHave(
    'previous_response_id',
    (body) => at(body, 'previous_response_id') === first.id,
  );
});

check('responses/continue.served', chain, ({ turns: [first, ...later] }) => {
  mustBeServed(first);
  for (const turn of later) expect(turn).toBeServed();
});

check('responses/continue.carries-context', chain, ({ turns }) => {
  mustBeServed(turns);
  mustGrow(turns, 'a chain');
});
