import {
  check,
  checkEach,
  expect,
  mustBeServed,
  type StoredOperationName,
} from '../../harness/index.ts';
import { attempts, expectDenied } from '../stored-operations.ts';
import { expired, kept } from './unreachable.ts';

check('responses/store.kept-30-days', kept, ({ lookup, control }) => {
  mustBeServed(control);
  expect(lookup).toBeServed();
});

const onExpired = attempts({ name: 'responses/after-retention', subject: () => expired });

checkEach('responses/store.gone-after-retention', (operation: StoredOperationName) => ({
  on: onExpired[operation],
  judge: expectDenied,
}));
