import { assumeServed, check, checkEach, expect } from '../../harness/index.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/indirect-access.ts';
import { attempts, expectDenied } from '../scenarios/stored-operations.ts';
import { type AgedCreationMode, expired, expiredFor, kept, keptByMode } from './retention.ts';

check('storage/responses.kept-30-days', kept, ({ attempts }) => {
  assumeServed(attempts.map(({ control }) => control));
  for (const { attempt } of attempts) expect(attempt).toBeServed();
});

checkEach('storage/responses.kept-by-creation-mode', (made: AgedCreationMode) => ({
  on: keptByMode[made],
  judge: ({ lookup, control }) => {
    assumeServed(control);
    expect(lookup).toBeServed();
  },
}));

const onExpired = attempts({ name: 'responses/after-retention', subject: expiredFor });

checkEach('storage/responses.gone-after-retention', (operation: keyof typeof onExpired) => ({
  on: onExpired[operation],
  judge: expectDenied,
}));

const expiredThroughSideDoors = throughIndirectAccess({
  name: 'responses/after-retention/side-door',
  subject: expired,
});

checkEach('storage/responses.expired-indirect-access-denied', (door: IndirectOperation) => ({
  on: expiredThroughSideDoors[door],
  judge: expectNotReadable,
}));
