import type { Access, StoredOperation } from '../../reference/store.ts';
import { relax } from '../decisions.ts';
import type { Fault } from './fault.ts';

// Checks that were forgotten as long as a response runs, and a denied deletion that stops it.

const conditions = [
  ['owners', 'isSameUser', 'access/owners.running-denied', 'another user'],
  ['regions', 'isOriginalRegion', 'access/regions.running-denied', 'another region'],
  ['permissions', 'isModelPermitted', 'access/permissions.running-needs-model', 'a restricted key'],
] as const;

const reading = ['lookup', 'input-items', 'recover'] as const satisfies readonly StoredOperation[];

function runs({ record: { turn, background } }: Access): boolean {
  return background && turn !== null && !turn.finished;
}

export const whileRunningFaults: readonly Fault[] = conditions.flatMap(
  ([area, condition, row, whose]): Fault[] => [
    ...reading.map(
      (operation): Fault => ({
        id: `${area}.running-${operation}-open`,
        what: `As long as a response runs, the operation ${operation} reaches it by way of ${whose}.`,
        breaks: [`${row}:${operation}`],
        override: relax(condition, (access) => access.operation === operation && runs(access)),
      }),
    ),
    {
      id: `${area}.denied-delete-stops`,
      what: `A deletion by way of ${whose} is denied, and stops the run all the same.`,
      breaks: [`${row}:delete`],
      override: relax(condition, (access) => {
        if (access.operation === 'delete' && runs(access)) access.record.turn?.cancel();
        return false;
      }),
    },
  ],
);
