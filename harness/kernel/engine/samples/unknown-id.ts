import { check } from '../check.ts';
import { scenario } from '../scenario.ts';

/** A check with an id that has no row, after one with a valid id. */

const listed = scenario('sample/listed', { cost: { requests: 1, generations: 0 } }, ({ lists }) =>
  lists.list(),
);

check('models/list.shape', listed, () => undefined);
// @ts-expect-error The compiler knows the ids; the catalogue that a run reads may be another.
check('models/list.no-such-row', listed, () => undefined);
