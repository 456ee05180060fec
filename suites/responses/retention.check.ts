import { check, checkEach, expect, mustBeServed } from '../../harness/index.ts';
import { type Door, expectClosed, throughSideDoors } from '../side-doors.ts';
import { attempts, expectDenied } from '../stored-operations.ts';
import { type AgedOtherwise, expired, expiredFor, kept, keptOtherwise } from './retention.ts';

check('responses/store.kept-30-days', kept, ({ attempts }) => {
  mustBeServed(attempts.map(({ control }) => control));
  for (const { attempt } of attempts) expect(attempt).toBeServed();
});

checkEach('responses/store.otherwise-made-kept', (made: AgedOtherwise) => ({
  on: keptOtherwise[made],
  judge: ({ lookup, control }) => {
    mustBeServed(control);
    expect(lookup).toBeServed();
  },
}));

const onExpired = attempts({ name: 'responses/after-retention', subject: expiredFor });

checkEach('responses/store.gone-after-retention', (operation: keyof typeof onExpired) => ({
  on: onExpired[operation],
  judge: expectDenied,
}));

const expiredThroughSideDoors = throughSideDoors({
  name: 'responses/after-retention/side-door',
  subject: expired,
});

checkEach('responses/store.expired-no-side-door', (door: Door) => ({
  on: expiredThroughSideDoors[door],
  judge: expectClosed,
}));
