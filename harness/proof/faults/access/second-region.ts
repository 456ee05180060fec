import { relax } from '../../decisions.ts';
import { wrong } from '../../generated/index.ts';
import { together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Conditions that are not checked for stored responses of the second region.

const second = 'us';

export const secondRegionFaults: readonly Fault[] = [
  ...each(['lookup', 'input-items', 'continue', 'cancel', 'delete'] as const, (operation) => ({
    'regions.{}-from-first': relax(
      'isOriginalRegion',
      (access) => access.operation === operation && access.record.region === second,
    ),
  })),
  ...each(['lookup', 'input-items', 'continue'], (operation) => ({
    'regions.any-user-{}': wrong('isSameUser', { operation, region: second }),
  })),
  ...each(['lookup', 'continue'], (operation) => ({
    'regions.unstored-{}': together(
      relax('keepsContent', (_execution, { gateway }) => gateway.region === second),
      wrong('isStored', { operation, region: second }),
    ),
  })),
];
