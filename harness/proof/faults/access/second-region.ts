import type { Call } from '../../../reference/index.ts';
import { relax } from '../../decisions.ts';
import { together } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Conditions that are not checked for stored responses of the second region.

const second = 'us';

function isThere({ gateway }: Call): boolean {
  return gateway.region === second;
}

export const secondRegionFaults: readonly Fault[] = [
  ...(['lookup', 'input-items', 'continue', 'cancel', 'delete'] as const).map(
    (operation): Fault => ({
      id: `regions.${operation}-from-first`,
      what: `The operation ${operation} reaches stored responses of the second region through the first.`,
      breaks: [`access/regions.other-region-denied:${operation}`],
      override: relax(
        'isOriginalRegion',
        (access) => access.operation === operation && access.record.region === second,
      ),
    }),
  ),
  ...(['lookup', 'input-items', 'continue'] as const).map(
    (operation): Fault => ({
      id: `regions.any-user-${operation}`,
      what: `In the second region, the operation ${operation} reaches the stored responses of every user.`,
      breaks: [`access/owners.other-user-denied:${operation}`],
      override: relax(
        'isSameUser',
        (access) => access.operation === operation && isThere(access.call),
      ),
    }),
  ),
  ...(['lookup', 'continue'] as const).map(
    (operation): Fault => ({
      id: `regions.unstored-${operation}`,
      what: `In the second region, the operation ${operation} reaches responses that were not stored.`,
      breaks: [`storage/responses.false-denies:${operation}`],
      override: together(
        relax('keepsContent', (_execution, call) => isThere(call)),
        relax('isStored', (access) => access.operation === operation && isThere(access.call)),
      ),
    }),
  ),
];
