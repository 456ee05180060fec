import { createHash } from 'node:crypto';
import { isObject } from './json-value.ts';
import { expand, type Requirement } from './requirement.ts';

/** Which MUSTs a catalogue has: the number of the last change, and what it came to. */
export interface CatalogueRevision {
  /** From 1. A new MUST, another sentence of one, and one less raise it. */
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

/** What the MUSTs of a catalogue come to. */
export function digestOfMusts(requirements: readonly Requirement[]): string {
  const hash = createHash('sha256');
  const checked = requirements.filter(({ unchecked }) => unchecked === null);
  for (const { id, level, requirement } of checked.flatMap(expand)) {
    if (level === 'MUST') hash.update(`${id}\t${requirement.text}\n`);
  }
  return hash.digest('hex');
}

/** The record as it has to be: the same while the MUSTs are, and else the next. */
export function nextRevision(
  { revision, musts }: CatalogueRevision,
  requirements: readonly Requirement[],
): string {
  const actual = digestOfMusts(requirements);
  return [
    '# The revision of the catalogue: certificates, badges and reports name it. It counts up with every change of',
    '# what a MUST asks. Made by `npx vitest run --project harness harness/core -u`.',
    `revision: ${actual === musts ? revision : revision + 1}`,
    `musts: "${actual}"`,
    '',
  ].join('\n');
}
