import type { Access } from '../../reference/store.ts';
import type { Fault } from './fault.ts';

// A denial that comes too late: what was denied is done all the same.

const conditions = [
  ['owners', 'isSameUser', 'access/owners.other-user-denied', 'another user', 'running-denied'],
  [
    'regions',
    'isOriginalRegion',
    'access/regions.other-region-denied',
    'another region',
    'running-denied',
  ],
  [
    'permissions',
    'isModelPermitted',
    'access/permissions.lookup-needs-model',
    'a restricted key',
    'running-needs-model',
  ],
] as const;

const done = {
  delete: ({ record }: Access): void => {
    record.deleted = true;
  },
  cancel: ({ record }: Access): void => record.turn?.cancel(),
} as const;

export const deniedButDoneFaults: readonly Fault[] = conditions.flatMap(
  ([area, condition, row, whose, onRun]) =>
    (['delete', 'cancel'] as const).map(
      (operation): Fault => ({
        id: `${area}.denied-${operation}-done`,
        what: `A ${operation} by way of ${whose} is denied, and done all the same.`,
        breaks: [`${row}:${operation}`],
        mayAlso: [
          ...(operation === 'delete' ? [`access/${area}.${onRun}:delete`] : []),
          ...(area === 'regions' ? ['access/regions.first-region-denied'] : []),
        ],
        override: ({ policy }) => ({
          policy: {
            [condition]: (access: Access) => {
              const allowed = policy[condition](access);
              if (!allowed && access.operation === operation) done[operation](access);
              return allowed;
            },
          },
        }),
      }),
    ),
);
