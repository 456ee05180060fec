import { check, expect } from '../../harness/index.ts';
import { created } from './scenarios.ts';

check('responses/create.shape', created, ({ created }) => {
  expect(created).toBeServed().toMatchSchema('responses/response');
});
