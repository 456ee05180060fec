import type { Call } from '../../../reference/index.ts';
import { relax } from '../../decisions.ts';
import { together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Conditions that are not checked for stored responses of the second region.

const second = 'us';

function isThere({ gateway }: Call): boolean {
  return gateway.region === second;
}

export const secondRegionFaults: readonly Fault[] = [
  ...each(['lookup', 'input-items', 'continue', 'cancel', 'delete'] as const, (operation) => ({
    'regions.{}-from-first': relax(
      'isOriginalRegion',
      (access) => access.operation === operation && access.record.region === second,
    ),
  })),
  ...each(['lookup', 'input-items', 'continue'] as const, (operation) => ({
    'regions.any-user-{}': relax(
      'isSameUser',
      (access) => access.operation === operation && isThere(access.call),
    ),
  })),
  ...each(['lookup', 'continue'] as const, (operation) => ({
    'regions.unstored-{}': together(
      relax('keepsContent', (_execution, call) => isThere(call)),
      relax('isStored', (access) => access.operation === operation && isThere(access.call)),
    ),
  })),
];
