import type { Catalogue } from '../../kernel/core/index.ts';
import { actionTable } from './action-table.ts';
import { budgetTable } from './budget-table.ts';
import { areasTable, profilesTable, restrictionsTable, suitesTable } from './catalogue-tables.ts';
import { certificateTable } from './certificate-table.ts';
import { clientDriversTable, clientTasksTable } from './client-tables.ts';
import { commandsTable, reportsTable } from './command-tables.ts';
import { layersTable } from './layers-table.ts';
import type { Sections } from './page.ts';
import {
  brokenOperationsTable,
  historiesTable,
  honestTable,
  killTable,
  proofList,
} from './proof-tables.ts';
import { checkStatesTable, furtherExitCodes, runVerdictsTable } from './verdict-tables.ts';

/** The generated parts of the documentation. */
export function sectionsOf(catalogue: Catalogue): Sections {
  return {
    action: { make: actionTable },
    areas: { make: () => areasTable(catalogue), counts: true },
    budgets: { make: budgetTable, counts: true },
    certificates: { make: certificateTable },
    'client drivers': { make: clientDriversTable },
    'client tasks': { make: clientTasksTable },
    commands: { make: commandsTable },
    'exit codes': { make: furtherExitCodes },
    'check verdicts': { make: checkStatesTable },
    reports: { make: reportsTable },
    'broken operations': { make: brokenOperationsTable },
    'generated faults': { make: killTable, counts: true },
    'faults of histories': { make: historiesTable, counts: true },
    'honest gateways': { make: honestTable, counts: true },
    layers: { make: layersTable },
    proof: { make: proofList, counts: true },
    profiles: { make: () => profilesTable(catalogue), counts: true },
    restrictions: { make: () => restrictionsTable(catalogue) },
    'run verdicts': { make: runVerdictsTable },
    suites: { make: () => suitesTable(catalogue), counts: true },
  };
}
