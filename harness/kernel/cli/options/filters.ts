import { isAskedFor, loadCatalogue, type Requirement, subjectFilters } from '../../core/index.ts';
import { nearest } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';

/**
 * Checks that every filter that a user typed, an id prefix or `@messages`, matches one of these ids.
 *
 * @throws {UsageError} with the nearest names
 */
export function assertKnown(prefixes: readonly string[], ids: readonly string[]): void {
  const lost = prefixes.filter((prefix) => !ids.some((id) => isAskedFor(id, prefix)));
  if (lost.length === 0) return;
  const lines = lost.map((prefix) => {
    if (/\.ya?ml$/.test(prefix)) {
      return `"${prefix}" is not an id. Name a target file with --target; repeat the option for several.`;
    }
    const other = rowOfOther(prefix, ids);
    if (other !== undefined) {
      if (other.judges === 'both-sides') {
        return `"${prefix}" is judged of a gateway whose target file has \`providers\`: touchstone run ${prefix} --target FILE`;
      }
      const side = other.judges;
      const command = side === 'client' ? `client ${prefix} -- <command>` : `run ${prefix}`;
      return `"${prefix}" is judged of a ${side}: touchstone ${command}`;
    }
    const near = nearest(prefix, candidates(ids), 3);
    const meant = near.length === 0 ? '' : ` Did you mean ${near.join(', or ')}?`;
    return `No check id starts with "${prefix}".${meant}`;
  });
  throw new UsageError(`${lines.join('\n')}\n\`touchstone list\` shows all ids.`);
}

/** Returns a row that matches the filter and that a run of the other side judges. */
function rowOfOther(filter: string, ids: readonly string[]): Requirement | undefined {
  return loadCatalogue().requirements.find(
    ({ id, unchecked }) =>
      unchecked === null &&
      (isAskedFor(id, filter) || filter.startsWith(`${id}:`)) &&
      !ids.some((own) => own.startsWith(id)),
  );
}

/** Returns names that people type as filters: suites, areas, requirements, checks. */
function candidates(ids: readonly string[]): Set<string> {
  return new Set([
    ...subjectFilters,
    ...ids.flatMap((id) => [
      id.replace(/\/.*/, '/'),
      id.replace(/\..*/, ''),
      id.replace(/:.*/, ''),
      id,
    ]),
  ]);
}
