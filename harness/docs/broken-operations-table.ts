import { operationRows } from '../core/operation-rows.ts';
import { waysOfBreaking } from '../proof/faults/broken-operations.ts';
import { faults } from '../proof/faults/index.ts';
import { table } from './table.ts';

const byId = new Map(faults.map((fault) => [fault.id, fault]));

/** Which check fails when nobody is served an operation, by the way in which that is broken. */
export function brokenOperationsTable(): string {
  const ways = Object.entries(waysOfBreaking);
  const rows = [...operationRows.keys()].map((operation) => {
    const broken = ways.map(([way]) => {
      return byId.get(`outright.${operation}-${way}`)?.breaks.join(', ') ?? '';
    });
    const [first = ''] = broken;
    return [
      `\`${operation}\``,
      `\`${first}\``,
      ...broken.map((check) => (check === first ? 'fails' : check)),
    ];
  });
  return table(
    ['operation', 'check', ...ways.map(([, { does }]) => `the gateway ${does} it`)],
    rows,
  );
}
