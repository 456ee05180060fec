import { capabilities, protocolOfCapability } from '../../core/capability.ts';
import { protocolOfEndpoint } from '../../core/endpoint.ts';
import { type Protocol, protocols, protocolTitles } from '../../core/protocol.ts';
import type { CheckResult, RunResult } from '../../core/result.ts';
import { type CheckState, checkStates } from '../../core/verdict.ts';
import { stateWords } from '../words.ts';
import { html, type Markup, type Part } from './markup.ts';
import { looks, shownStates } from './states.ts';

/** How many checks of a cell came to each state. */
type Cell = Map<CheckState, number>;

/** Every area of the interface against the protocols; each cell filters the checks to its own. */
export function matrix({ checks }: RunResult): Markup {
  const shown = Object.keys(columns).filter((column): column is Column =>
    checks.some((check) => placeOf(check).column === column),
  );
  const head = shown.map(
    (column) =>
      html`<th scope="col"><button type="button" data-column="${column}" aria-pressed="false">${columns[column]}</button></th>`,
  );
  return html`<section id="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">By area and protocol</h2>
<p class="aside">How many hold, of those that apply. Choose a cell, a row or a column to see its checks only.</p>
<div class="scroll" role="region" aria-label="Matrix of protocols and areas" tabindex="0"><table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${[...areas(checks)].map(([area, cells]) => row(area, cells, shown))}
</tbody>
</table></div>
</section>`;
}

/** The areas by name, each with its cells. */
function areas(checks: readonly CheckResult[]): Map<string, Map<Column, Cell>> {
  const rows = new Map<string, Map<Column, Cell>>();
  for (const check of checks) {
    const { column, area } = placeOf(check);
    const row = rows.get(area) ?? new Map<Column, Cell>();
    const cell = row.get(column) ?? new Map<CheckState, number>();
    cell.set(check.verdict.state, (cell.get(check.verdict.state) ?? 0) + 1);
    row.set(column, cell);
    rows.set(area, row);
  }
  return new Map([...rows].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function row(area: string, cells: ReadonlyMap<Column, Cell>, shown: readonly Column[]): Markup {
  return html`<tr><th scope="row"><button type="button" data-area="${area}" aria-pressed="false">${area}</button></th>${shown.map(
    (column): Part => {
      const cell = cells.get(column);
      return cell === undefined ? html`<td></td>` : filled(area, column, cell);
    },
  )}</tr>
`;
}

function filled(area: string, column: Column, cell: Cell): Markup {
  const count = (...states: CheckState[]): number =>
    states.reduce((sum, state) => sum + (cell.get(state) ?? 0), 0);
  const passed = count('pass', 'note');
  const applying = passed + count('fail', 'warn', 'inconclusive', 'error', 'untestable');
  const worst = shownStates.find((state) => cell.has(state)) ?? 'pass';
  const words = checkStates
    .filter((state) => cell.has(state))
    .map((state) => `${cell.get(state)} ${stateWords[state]}`)
    .join(', ');
  const short =
    applying === 0
      ? html`<span aria-hidden="true">${looks[worst].sign}</span>`
      : html`<span aria-hidden="true">${passed === applying ? passed : `${passed}/${applying}`}</span>`;
  return html`<td><button type="button" class="cell ${tone(cell, worst)}" data-area="${area}" data-column="${column}" aria-pressed="false" title="${words}">${short}<span class="hidden">${area}, ${columns[column]}: ${words}</span></button></td>`;
}

/** A cell is coloured by what weighs most in it; what only was noted or left out besides is no blemish. */
function tone(cell: Cell, worst: CheckState): CheckState {
  const mild: readonly CheckState[] = ['note', 'not-applicable', 'excluded'];
  return cell.has('pass') && mild.includes(worst) ? 'pass' : worst;
}

/** Where a check stands in the matrix of the HTML report. */
export interface Place {
  readonly column: Column;
  /** `storage/deletion`; `storage` where the area only names a protocol, which the column says. */
  readonly area: string;
}

export type Column = Protocol | 'models' | 'other';

/** Columns in the order in which they stand, with their titles. */
export const columns: Readonly<Record<Column, string>> = {
  ...protocolTitles,
  models: 'Models',
  other: 'General',
};

/** A check stands where its area says, or its suite, or else the value of its axis. */
export function placeOf({ id, suite }: CheckResult): Place {
  const [row = '', value = ''] = id.split(':');
  const area = row.slice(suite.length + 1).replace(/\..*/s, '');
  const isProtocol = protocols.some((protocol) => protocol === withoutStream(area));
  const rest = isProtocol ? area.slice(withoutStream(area).length + 1) : area;
  const names = suite === 'models' ? [suite] : [area, suite, value];
  return {
    column: names.map(columnOf).find((column) => column !== undefined) ?? 'other',
    area: rest === '' ? suite : `${suite}/${rest}`,
  };
}

function withoutStream(name: string): string {
  return name.replace(/^stream-|-stream$/, '');
}

/** What ids call protocols, endpoints, capabilities and operations, by the column that they belong to. */
const columnOfWord: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...protocols.map((protocol) => [protocol, protocol] as const),
  ...Object.entries(protocolOfEndpoint),
  ...capabilities.flatMap((capability) => {
    const protocol = protocolOfCapability[capability];
    return protocol === null ? [] : [[capability.toLowerCase(), protocol] as const];
  }),
  // What can be done with what is stored. Only Responses are stored but for `storage/messages`.
  ...['storage', 'recovery', 'recover', 'continue', 'continue-websocket', 'continuation'].map(
    (word) => [word, 'responses'] as const,
  ),
]);

/** @param name of a suite or an area, or the value of an axis: `stream-messages`, `cancel.no-key` */
function columnOf(name: string): Column | undefined {
  return columnOfWord.get(withoutStream(name.replace(/\..*/s, '')));
}
