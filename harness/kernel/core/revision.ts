import { isObject } from './json-value.ts';

/** Identifies the set of MUSTs of a catalogue by the number of its last change and a digest. */
export interface CatalogueRevision {
  /** From 1. Counts up with each MUST that is added, removed or reworded. */
  readonly revision: number;
  /** SHA-256 over the ids and sentences of the MUSTs. */
  readonly musts: string;
}

/** Reads `fixtures/requirements/revision.yaml`. @throws {Error} */
export function parseRevision(value: unknown): CatalogueRevision {
  const { revision, musts } = isObject(value) ? value : {};
  if (typeof revision !== 'number' || !Number.isInteger(revision) || revision < 1) {
    throw new Error('revision.yaml: "revision" is a whole number, from 1');
  }
  return { revision, musts: String(musts) };
}
