import { operationRows } from '../../kernel/core/index.ts';
import { waysOfBreaking } from '../../proof/faults/broken-operations.ts';
import { faults } from '../../proof/faults/index.ts';
import { table } from './table.ts';

const byId = new Map(faults.map((fault) => [fault.id, fault]));

/** Check that fails for each operation when nobody is served it, or when it is broken in a particular way. */
export function brokenOperationsTable(): string {
  const ways = Object.entries(waysOfBreaking);
  const rows = [...operationRows.keys()].map((operation) => {
    const broken = ways.map(([way, { does }]) => ({
      does,
      checks: byId.get(`outright.${operation}-${way}`)?.breaks.join(', ') ?? 'none',
    }));
    const usual = broken[0]?.checks;
    const others = broken.filter(({ checks }) => checks !== usual);
    return [
      `\`${operation}\``,
      [
        `\`${usual}\``,
        ...others.map(({ does, checks }) => `where the gateway ${does} it: ${checks}`),
      ].join('; '),
    ];
  });
  return table(['operation', 'check that fails, in whichever way it is broken'], rows);
}
