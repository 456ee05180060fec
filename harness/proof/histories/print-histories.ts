import type { FoundRow } from './found.ts';
import { foundRows } from './found.ts';
import { type Exposed, isExposed, isUnseen, mostMoreActs } from './prove-histories.ts';

/** Formats the faults that only a history shows: a line for each, followed by its problems. */
export function printExposed(exposed: readonly Exposed[]): string {
  const width = Math.max(...exposed.map(({ id }) => id.length), 0);
  const lines = exposed.flatMap((one) => {
    const [row] = foundRows([one]);
    const found = row === undefined ? notFound(one) : foundIn(row);
    const seen =
      one.seenBy === null
        ? ''
        : isUnseen(one)
          ? '; no fixed check sees it'
          : `; seen by ${one.seenBy.length} fixed checks`;
    return [
      `${isExposed(one) ? '✓' : '✗'} ${one.id.padEnd(width)}  ${found}${seen}`,
      ...shortestInWords(one).map((text) => `    shortest   ${text}`),
      ...problemsOf(one).map((problem) => `    ${problem}`),
      ...(one.seenBy ?? []).slice(0, 3).map((check) => `    seen by    ${check}`),
    ];
  });
  const wrong = exposed.filter((one) => !isExposed(one)).length;
  const unseen = exposed.filter(isUnseen).length;
  const counted = exposed.some(({ seenBy }) => seenBy !== null)
    ? ` ${unseen} of them no fixed check sees.`
    : '';
  return `${[
    ...lines,
    '',
    `${exposed.length} ${exposed.length === 1 ? 'fault' : 'faults'} of histories: ${exposed.length - wrong} found and made short with most of the seeds, ${wrong} not.${counted}`,
  ].join('\n')}\n`;
}

function foundIn({ times, seeds, history, generations, shortened, acts }: FoundRow): string {
  const some = times === seeds ? '' : ` with ${times} of ${seeds} seeds`;
  return (
    `found${some} in history ${history}, after ${generations} generations (medians); ` +
    `${shortened} acts, ${acts} needed`
  );
}

function notFound({ found, acts }: Exposed): string {
  const times = found.filter((one) => one !== null).length;
  return `found with ${times} of ${found.length} seeds; ${acts} acts needed`;
}

function shortestInWords({ found }: Exposed): string[] {
  const [shortest] = found
    .flatMap((one) => one ?? [])
    .toSorted((one, other) => one.acts - other.acts);
  return shortest === undefined ? [] : [`${shortest.shortest}  (${shortest.clause})`];
}

function problemsOf({ acts, found }: Exposed): string[] {
  return found.flatMap((one) =>
    one === null || one.acts <= acts + mostMoreActs
      ? []
      : [
          `too long   ${one.acts} acts: ${one.clause}, ${one.kind}, found in history ${one.history}`,
        ],
  );
}
