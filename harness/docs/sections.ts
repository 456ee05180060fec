import { loadCatalogue } from '../core/catalogue.ts';
import { actionTable } from './action-table.ts';
import { areasTable, suitesTable } from './catalogue-tables.ts';
import { commandsTable, reportsTable } from './command-tables.ts';
import { layersTable } from './layers-table.ts';
import { checkStatesTable, furtherExitCodes, runVerdictsTable } from './verdict-tables.ts';

/** What can stand in a page between two marks, by its name. */
export type Sections = Readonly<Record<string, () => string>>;

/** The generated parts of the documentation. */
export const sections: Sections = {
  action: actionTable,
  areas: () => areasTable(loadCatalogue()),
  commands: commandsTable,
  'exit codes': furtherExitCodes,
  'check verdicts': checkStatesTable,
  reports: reportsTable,
  layers: layersTable,
  'run verdicts': runVerdictsTable,
  suites: () => suitesTable(loadCatalogue()),
};
