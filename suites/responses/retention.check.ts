import { check, expect, mustBeServed } from '../../harness/index.ts';
import { kept } from './unreachable.ts';

check('responses/store.kept-30-days', kept, ({ lookup, control }) => {
  mustBeServed(control);
  expect(lookup).toBeServed();
});
