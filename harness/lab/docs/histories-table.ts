import { medianOf, readFound } from '../../proof/histories/found.ts';
import { type Group, groups, historyFaults } from '../../proof/histories/index.ts';
import { table } from './table.ts';

const kinds: Readonly<Record<Group, string>> = {
  after: 'after other requests',
  beside: 'beside another request',
  'one-in': 'once in 10 to 50 times',
  later: 'when time has passed',
  node: 'at one of two nodes',
  load: 'while others are being made',
  restart: 'after a restart',
};

/** Detection of the faults that only histories show, by the kind of their situation. */
export function historiesTable(): string {
  const rows = readFound();
  if (rows.length === 0) return 'Nobody has explored them yet.';
  return table(
    [
      'what goes wrong only …',
      'faults',
      'no fixed check sees',
      'found in history',
      'after generations',
      'acts needed',
      'acts of the shortened history',
    ],
    groups.map((group) => {
      const ids = historyFaults.flatMap((fault) => (fault.group === group ? fault.id : []));
      const own = rows.filter(({ id }) => ids.includes(id));
      const median = (of: (row: (typeof rows)[number]) => number): string =>
        `${medianOf(own.map(of))}`;
      return [
        kinds[group],
        `${ids.length}`,
        `${own.filter(({ seen }) => seen === false).length}`,
        median(({ history }) => history),
        median(({ generations }) => generations),
        median(({ acts }) => acts),
        median(({ shortened }) => shortened),
      ];
    }),
  );
}
