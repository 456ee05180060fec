import type { Defect } from '../../reference/seams.ts';

type Override = Defect['override'];

/** When something was done, by the id of the response. */
type Done = Map<string, number>;

/**
 * Two nodes, of which the second one learns so many milliseconds later what the first one has made and deleted. What it
 * has done itself it knows.
 */
export function lagBetween(ms: number): readonly [Override, Override] {
  const made: Done = new Map();
  const deleted: Done = new Map();
  const isNew = (done: Done, id: string): boolean =>
    performance.now() - (done.get(id) ?? Number.NEGATIVE_INFINITY) < ms;
  const first: Override = ({ encode, policy }) => ({
    encode: {
      id: (prefix, call) => {
        const id = encode.id(prefix, call);
        made.set(id, performance.now());
        return id;
      },
    },
    policy: {
      deleteDenies: (record, call) => {
        const denies = policy.deleteDenies(record, call);
        if (denies) deleted.set(record.id, performance.now());
        return denies;
      },
      deleteRemovesContent: () => false,
    },
  });
  const second: Override = ({ policy }) => ({
    policy: {
      isStored: (access) => policy.isStored(access) && !isNew(made, access.record.id),
      deleteRemovesContent: () => false,
      isNotDeleted: (access) => policy.isNotDeleted(access) || isNew(deleted, access.record.id),
    },
  });
  return [first, second];
}
