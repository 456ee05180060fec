import type { Access } from '../../reference/store.ts';
import { relax } from '../decisions.ts';
import type { Fault } from './fault.ts';

// A denial that comes too late: what was denied is done all the same.

const conditions = [
  ['owners', 'isSameUser', 'access/owners.other-user-denied', 'another user'],
  ['regions', 'isOriginalRegion', 'access/regions.other-region-denied', 'another region'],
  ['permissions', 'isModelPermitted', 'access/permissions.lookup-needs-model', 'a restricted key'],
] as const;

const done = {
  delete: ({ record }: Access): void => {
    record.deleted = true;
  },
  cancel: ({ record }: Access): void => record.turn?.cancel(),
} as const;

export const deniedButDoneFaults: readonly Fault[] = conditions.flatMap(
  ([area, condition, row, whose]) =>
    (['delete', 'cancel'] as const).map(
      (operation): Fault => ({
        id: `${area}.denied-${operation}-done`,
        what: `A ${operation} by way of ${whose} is denied, and done all the same.`,
        breaks: [`${row}:${operation}`],
        override: relax(condition, (access) => {
          if (access.operation === operation) done[operation](access);
          return false;
        }),
      }),
    ),
);
