import { check } from '../check.ts';
import { scenario } from '../scenario.ts';

/** Two scenarios with one name, so that their exchanges could not be distinguished. */

const cost = { requests: 1, generations: 0 };
const one = scenario('sample/one', { cost }, ({ lists }) => lists.list());
const same = scenario('sample/one', { cost }, ({ lists }) => lists.catalog());

check('models/list.shape', one, () => undefined);
check('generation/responses.shape', same, () => undefined);
