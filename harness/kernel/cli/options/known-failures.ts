import {
  budgets,
  type Catalogue,
  isDay,
  type KnownFailure,
  readForeign,
  readKnownFailures,
  unknownOf,
  whyUnreadable,
} from '../../core/index.ts';
import { nearest } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';

/**
 * Reads the list of `--known-failures`.
 *
 * @throws {UsageError} if it cannot be read, or has an unknown id or an invalid day
 */
export function knownFailuresAt(file: string, catalogue: Catalogue): readonly KnownFailure[] {
  const known = readKnownFailures(textOf(file));
  const noDays = known.filter(({ until }) => until !== undefined && !isDay(until));
  if (noDays.length > 0) {
    const lines = noDays.map(({ line, until }) => `${file}:${line}: "${until}" is not a day.`);
    throw new UsageError(
      `${lines.join('\n')}\nWrite the last day on which the entry counts as in: until 2027-01-31`,
    );
  }
  const lost = unknownOf(known, catalogue.checks);
  if (lost.length === 0) return known;
  const ids = new Set(catalogue.checks.flatMap(({ id, requirement }) => [id, requirement.id]));
  const lines = lost.map(({ id, line }) => {
    const near = nearest(id, ids, 3);
    const meant = near.length === 0 ? '' : ` Did you mean ${near.join(', or ')}?`;
    const unchecked = catalogue.requirements.some((one) => one.id === id && one.unchecked !== null);
    const what = unchecked
      ? 'is a requirement without a check, which cannot fail'
      : 'is not a check or a requirement';
    return `${file}:${line}: "${id}" ${what}.${meant}`;
  });
  throw new UsageError(
    `${lines.join('\n')}\nGive the full id of a check as in a report, or of its requirement (the part before the ":").`,
  );
}

function textOf(file: string): string {
  try {
    return readForeign(file, budgets.small).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(
      `--known-failures ${file}: ${whyUnreadable(error)} --write-known-failures FILE writes a first one.`,
    );
  }
}
